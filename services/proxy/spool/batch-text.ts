import { kib, mib } from '#core/units.ts'

const pieceBytes = 256 * kib
const maxSpareBytes = 8 * mib

/** Pieces of released batches, to be used again: only a full garbage collection would return their memory. */
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

  /** Makes the memory available to other batches; views of this one must not be read any more. */
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
