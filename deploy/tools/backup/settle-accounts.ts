import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { ClickHouseClient } from '#core/resources.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'

/**
 * Puts the pipeline's accounts right after a restore: what is stored now was accepted once, by proxies that this Redis
 * may know nothing of; and what it knows of beyond that is lost.
 * @returns how many requests are lost; 0 where that Redis is new
 */
export async function settleAccounts(clickhouse: ClickHouseClient, queue: QueueShards): Promise<number> {
  const { difference } = await createPipelineStore(clickhouse, queue).read()
  if (difference === null) throw new Error('ClickHouse does not tell how much it has stored.')
  await queue[0].redis.hincrby(pipelineKeys(queue[0]).accepted, 'restored', -difference)
  return Math.max(0, difference)
}
