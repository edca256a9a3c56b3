import { mib } from '#core/units.ts'

/** With less free space than this on the disk the spool counts as full. */
const minFreeBytes = mib

/** How much of the available space a spool uses: the smaller of its limit and of what is free on the disk. */
export class DiskRoom {
  readonly #maxBytes: number
  #freeBytes = Number.POSITIVE_INFINITY
  #foreignBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @param foreignBytes left on this disk by other proxies and being recovered; they count as used */
  note({ freeBytes, foreignBytes }: { freeBytes: number; foreignBytes: number }): void {
    this.#freeBytes = freeBytes
    this.#foreignBytes = foreignBytes
  }

  /** @returns 0 to 1 */
  fullness(ownBytes: number): number {
    const used = ownBytes + this.#foreignBytes
    const room = Math.min(this.#maxBytes, used + this.#freeBytes)
    return this.#freeBytes < minFreeBytes ? 1 : used / room
  }
}
