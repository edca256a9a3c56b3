import { minute, second } from './units.ts'

/** Pauses before restarts of a process: each is twice as long as the last, until a process has run for a minute. */
export class RestartBackoff {
  #restarts = 0

  nextPauseMs(livedMs: number): number {
    if (livedMs >= minute) this.#restarts = 0
    const pauseMs = Math.min((second / 5) * 2 ** this.#restarts, 10 * second)
    this.#restarts += 1
    return pauseMs
  }
}
