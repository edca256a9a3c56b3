import { minute, second } from './units.ts'

const firstPauseMs = second / 5
const longestPauseMs = 10 * second

/** After this long a life it was not the start that went wrong. */
const steadyMs = minute

/** How long to wait before something that ended is started again: longer each time, until it has lived for a while. */
export class RestartBackoff {
  #restarts = 0

  /** @param livedMs how long it lived */
  nextPauseMs(livedMs: number): number {
    if (livedMs >= steadyMs) this.#restarts = 0
    const pauseMs = Math.min(firstPauseMs * 2 ** this.#restarts, longestPauseMs)
    this.#restarts += 1
    return pauseMs
  }
}
