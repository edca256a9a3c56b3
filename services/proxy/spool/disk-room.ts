import { mib } from '#core/units.ts'

/** With less free disk space than this, the spool counts as full. */
const minFreeBytes = mib

/** Measures how full a spool is, within its limit and the free disk space. */
export class DiskRoom {
  readonly #maxBytes: number
  #freeBytes = Number.POSITIVE_INFINITY
  #foreignBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @param foreignBytes left on this disk by other proxies and being recovered; count as used */
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
