import { kib, mib } from '#core/units.ts'

const pieceBytes = 256 * kib
const maxSpareBytes = 8 * mib

/** Reusable pieces of released batches: only a full garbage collection would free their memory. */
const spare: Buffer[] = []

/** The JSON lines of a batch in a few large buffers instead of one object each. */
export class BatchText {
  readonly #full: Buffer[] = []
  #piece: Buffer | undefined
  #used = 0

  /** @param line is copied */
  append(line: Buffer): void {
    if (line.length > pieceBytes - this.#used) this.#endPiece()
    if (line.length > pieceBytes) return void this.#full.push(Buffer.from(line))
    this.#piece ??= spare.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
    this.#used += line.copy(this.#piece, this.#used)
  }

  /** @returns views, valid until `release` */
  pieces(): Buffer[] {
    this.#endPiece()
    return this.#full
  }

  /** Recycles the memory; views of this batch must no longer be read. */
  release(): void {
    this.#endPiece()
    for (const { buffer } of this.#full.splice(0)) {
      if (buffer.byteLength === pieceBytes && spare.length * pieceBytes < maxSpareBytes) spare.push(Buffer.from(buffer))
    }
  }

  #endPiece(): void {
    if (this.#piece) this.#full.push(this.#piece.subarray(0, this.#used))
    this.#piece = undefined
    this.#used = 0
  }
}
