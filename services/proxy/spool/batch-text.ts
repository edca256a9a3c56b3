import { kib, mib } from '#core/units.ts'

const pieceBytes = 256 * kib
const mostSpareBytes = 8 * mib

/** Pieces of batches that are gone. Without them every batch would wait for a full collection to give back its memory. */
const spare: Buffer[] = []

/** JSON lines of a batch, one after the other in a few pieces of memory instead of an object each. */
export class BatchText {
  readonly #full: Buffer[] = []
  #piece: Buffer | undefined
  #used = 0

  /** @param line is copied */
  append(line: Buffer): void {
    if (line.length > pieceBytes - this.#used) this.#turn()
    if (line.length > pieceBytes) return void this.#full.push(Buffer.from(line))
    this.#piece ??= spare.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
    this.#used += line.copy(this.#piece, this.#used)
  }

  /** @returns views, which hold until `release` */
  pieces(): Buffer[] {
    this.#turn()
    return this.#full
  }

  /** Gives the memory to the next batch; nothing may read from this one any more. */
  release(): void {
    this.#turn()
    for (const { buffer } of this.#full.splice(0)) {
      if (buffer.byteLength === pieceBytes && spare.length * pieceBytes < mostSpareBytes)
        spare.push(Buffer.from(buffer))
    }
  }

  #turn(): void {
    if (this.#piece) this.#full.push(this.#piece.subarray(0, this.#used))
    this.#piece = undefined
    this.#used = 0
  }
}
