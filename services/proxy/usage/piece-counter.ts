import { carriageReturn, lineEnd, newline } from './lines.ts'

const colon = 0x3a

/** Counts the events or lines of a stream. Lines end with LF, CR or CR LF; comments do not count. */
export class PieceCounter {
  count = 0
  readonly #countsLines: boolean
  #isLineStart = true
  #hasData = false
  #lastEnd = newline
  #hasReturns = false

  constructor(framing: 'events' | 'lines') {
    this.#countsLines = framing === 'lines'
  }

  /** Whether the bytes so far end exactly after an event. */
  get isBetweenEvents(): boolean {
    return this.#isLineStart && !this.#hasData
  }

  push(chunk: Buffer): void {
    this.#hasReturns ||= chunk.includes(carriageReturn)
    for (let from = 0; from < chunk.length;) {
      const end = lineEnd(chunk, from, this.#hasReturns)
      if (end > from && this.#isLineStart) {
        this.#isLineStart = false
        this.#hasData ||= chunk[from] !== colon
      }
      if (end < chunk.length) this.#endLine(chunk[end]!)
      from = end + 1
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
