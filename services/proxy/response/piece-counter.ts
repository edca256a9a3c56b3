import { carriageReturn, newline } from '../usage/lines.ts'

const colon = 0x3a

/** Counts the events of a stream, or its lines. Lines end with LF, CR or CR LF; comments do not count. */
export class PieceCounter {
  count = 0
  readonly #countsLines: boolean
  #isLineStart = true
  #hasData = false
  #lastEnd = newline

  constructor(framing: 'events' | 'lines') {
    this.#countsLines = framing === 'lines'
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (byte === newline || byte === carriageReturn) this.#endLine(byte)
      else if (this.#isLineStart) {
        this.#isLineStart = false
        this.#hasData ||= byte !== colon
      }
    }
  }

  #endLine(end: number): void {
    const isSecondOfPair = this.#isLineStart && end === newline && this.#lastEnd === carriageReturn
    this.#lastEnd = end
    if (isSecondOfPair) return
    if (this.#hasData && (this.#countsLines || this.#isLineStart)) {
      this.count += 1
      this.#hasData = false
    }
    this.#isLineStart = true
  }
}
