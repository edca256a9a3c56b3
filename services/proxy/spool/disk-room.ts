import { mib } from '#core/units.ts'

/** With less room than this on the disk the spool is full, whatever is in it. */
const leastRoom = mib

/** How much of its room a spool uses: of its limit, or of what the disk leaves. */
export class DiskRoom {
  readonly #maxBytes: number
  #freeBytes = Number.POSITIVE_INFINITY
  #foreignBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @param foreignBytes what other proxies left on this disk and is being recovered; it counts as used */
  note({ freeBytes, foreignBytes }: { freeBytes: number; foreignBytes: number }): void {
    this.#freeBytes = freeBytes
    this.#foreignBytes = foreignBytes
  }

  /** @returns 0 to 1 */
  fullness(ownBytes: number): number {
    const used = ownBytes + this.#foreignBytes
    const room = Math.min(this.#maxBytes, used + this.#freeBytes)
    return this.#freeBytes < leastRoom ? 1 : used / room
  }
}
