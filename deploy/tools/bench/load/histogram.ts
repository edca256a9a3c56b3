import { createHistogram } from 'node:perf_hooks'
import type { JobResult } from './job.ts'

const usPerMs = 1_000

/** Durations in ms, accurate to a microsecond. */
export class Durations {
  readonly #histogram = createHistogram({ figures: 3 })

  record(ms: number): void {
    this.#histogram.record(Math.max(1, Math.round(ms * usPerMs)))
  }

  result(failed: number, heldBack = 0): JobResult {
    const at = (percentile: number) => this.#histogram.percentile(percentile) / usPerMs
    return { completed: this.#histogram.count, failed, p50: at(50), p99: at(99), heldBack }
  }
}
