import type { PipelineStore } from '#store/clickhouse/pipeline.ts'
import { second } from '#core/units.ts'

const freshMs = second

/**
 * The time before which every finished request is stored, queried at most once a second. While the queue's Redis is
 * unavailable, the last watermark is returned, because it stays valid; `null` before the first one.
 */
export function createIngestWatermark(pipeline: Pick<PipelineStore, 'ingestWatermark'>): () => Promise<string | null> {
  let watermark: string | null = null
  let freshUntil = 0
  let query: Promise<void> | undefined

  async function refresh(): Promise<void> {
    try {
      watermark = await pipeline.ingestWatermark()
    } catch {
      // The last watermark is still valid.
    }
    freshUntil = performance.now() + freshMs
    query = undefined
  }

  return async () => {
    if (performance.now() >= freshUntil) await (query ??= refresh())
    return watermark
  }
}
