import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'

/**
 * Corrects the delivery counters after a restore: every stored request was accepted, perhaps by proxies unknown to this
 * Redis, and every other accepted request is lost.
 * @returns the number of lost requests; 0 if the Redis is new
 */
export async function reconcileCounters(clickhouse: ClickHouseClient, queue: QueueShards): Promise<number> {
  const { difference } = await createPipelineStore(clickhouse, queue).read()
  if (difference === null) throw new Error('ClickHouse did not report how much it has stored.')
  await queue[0].redis.hincrby(pipelineKeys(queue[0]).accepted, 'restored', -difference)
  return Math.max(0, difference)
}
