import { cachedFor } from '#core/cached-for.ts'
import type { PipelineStore } from '#store/clickhouse/pipeline.ts'
import { second } from '#core/units.ts'

const freshMs = second

/**
 * The time before which every finished request is stored, queried at most once a second. While the queue's Redis is
 * unavailable, the last watermark is returned, because it stays valid; `null` before the first one.
 */
export function createIngestWatermark(pipeline: Pick<PipelineStore, 'ingestWatermark'>): () => Promise<string | null> {
  let watermark: string | null = null
  return cachedFor(freshMs, async () => {
    watermark = await pipeline.ingestWatermark().catch(() => watermark)
    return watermark
  })
}
