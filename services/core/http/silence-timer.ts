/**
 * Reports once that nothing was heard for `ms`. It waits in two halves, so that a pause of the whole machine does not use
 * up all of it, and polls the sockets once more before it reports: what arrived while this process was busy or suspended
 * was heard in time.
 */
export class SilenceTimer {
  readonly #onSilence: () => void
  #timer: NodeJS.Timeout | undefined
  #report: NodeJS.Immediate | undefined
  #isSecondHalf = false

  constructor(ms: number, onSilence: () => void) {
    this.#onSilence = onSilence
    this.#timer = setTimeout(() => this.#halfIsOver(), ms / 2)
  }

  /** Something was heard. */
  refresh(): void {
    clearImmediate(this.#report)
    this.#isSecondHalf = false
    this.#timer?.refresh()
  }

  /** Also forgets the timer: a late byte would otherwise restart it. */
  stop(): void {
    clearImmediate(this.#report)
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #halfIsOver(): void {
    if (this.#isSecondHalf) this.#report = setImmediate(this.#onSilence)
    else this.#timer?.refresh()
    this.#isSecondHalf = true
  }
}
