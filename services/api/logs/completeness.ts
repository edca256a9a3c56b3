import type { PipelineStore } from '#store/clickhouse/pipeline.ts'
import { second } from '#core/units.ts'

const freshMs = second

/**
 * The moment up to which everything that ended is stored, looked up once a second at most. What was true once stays
 * true, so the last value is served while the queue's Redis is away; `null` before the first one.
 */
export function createCompleteness(pipeline: Pick<PipelineStore, 'completeUntil'>): () => Promise<string | null> {
  let known: string | null = null
  let freshUntil = 0
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    try {
      known = await pipeline.completeUntil()
    } catch {
      // The last value is still true.
    }
    freshUntil = performance.now() + freshMs
    looking = undefined
  }

  return async () => {
    if (performance.now() >= freshUntil) await (looking ??= look())
    return known
  }
}
