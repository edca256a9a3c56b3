import { hash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { uuidTimeMs } from '#core/uuid-time.ts'
import type { Redis } from './redis.ts'

/** The last byte of a batch's id is its shard. */
export const maxShards = 256

/**
 * One of the queues that log batches are spread over. Everything of a batch (its job, group and dead letters) is in one
 * shard, and thus in one Redis, or in one slot of a Redis Cluster.
 */
export interface QueueShard {
  redis: Redis
  /** Prefix of all keys, a hash tag. Empty for the first shard outside a cluster, so that shards can be added later. */
  tag: string
  /** Replicas that must have a write before the next step; default: 0. */
  replicas?: number
}

/** The first shard also holds everything that exists only once: delivery counters, deletions and scheduled jobs. */
export type QueueShards = readonly [QueueShard, ...QueueShard[]]

export const queuePrefix = ({ tag }: Pick<QueueShard, 'tag'>): string => `${tag}bull`

export const queueOptions = (shard: QueueShard): { connection: Redis; prefix: string } => ({
  connection: shard.redis,
  prefix: queuePrefix(shard),
})

/** A time-ordered id that contains its shard, so that a repeated batch has the same shard even after shards are added. */
export function newBatchId(shard: number): string {
  const random = randomBytes(16)
  random[15] = shard
  return uuidv7({ random })
}

/** The id of another batch for the same shard, the same in each call. @param index distinguishes several of them */
export function derivedBatchId(batchId: string, index: number): string {
  const random = hash('sha256', `${batchId} ${index}`, 'buffer').subarray(0, 16)
  random[15] = shardOfBatch(batchId, maxShards)
  return uuidv7({ random, msecs: uuidTimeMs(batchId) })
}

export const shardOfBatch = (batchId: string, shards: number): number => Number.parseInt(batchId.slice(-2), 16) % shards
