/**
 * Reports once that nothing was heard for `ms`. It polls the sockets once more before that: what arrived while this
 * process was busy or suspended was heard in time.
 */
export class SilenceTimer {
  #timer: NodeJS.Timeout | undefined
  #report: NodeJS.Immediate | undefined

  constructor(ms: number, onSilence: () => void) {
    this.#timer = setTimeout(() => (this.#report = setImmediate(onSilence)), ms)
  }

  /** Something was heard. */
  refresh(): void {
    clearImmediate(this.#report)
    this.#timer?.refresh()
  }

  /** Also forgets the timer: a late byte would otherwise restart it. */
  stop(): void {
    clearImmediate(this.#report)
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
