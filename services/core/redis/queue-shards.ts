import { randomBytes } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import { v7 as uuidv7 } from 'uuid'

/** The queue may lie in a Redis Cluster. */
export type QueueRedis = Redis | Cluster

/** A batch's id says in its last byte which shard it belongs to. */
export const maxShards = 256

/**
 * One of the queues that log batches are spread over. Everything that belongs to a batch (the job, its group, its dead
 * letters) lies in one shard, and so in one Redis, or in one slot of a Redis Cluster.
 */
export interface QueueShard {
  /** Shards may share a connection. */
  redis: QueueRedis
  /**
   * What the names of all its keys begin with: a hash tag. Empty for the first shard outside of a cluster, so that an
   * installation with one queue can get more while batches wait in it.
   */
  tag: string
  /** How many replicas must have what the first of two steps wrote before the second is taken; default: 0. */
  replicas?: number
}

/** The first shard also holds what there is once: the pipeline's accounts, deletions, and jobs by the clock. */
export type QueueShards = readonly [QueueShard, ...QueueShard[]]

/** For BullMQ's `prefix`. */
export const queuePrefix = ({ tag }: Pick<QueueShard, 'tag'>): string => `${tag}bull`

/** The connection and the prefix, as every queue and worker of BullMQ wants them. */
export const queueOptions = (shard: QueueShard): { connection: QueueRedis; prefix: string } => ({
  connection: shard.redis,
  prefix: queuePrefix(shard),
})

/**
 * A time-ordered id that stays with its shard: more shards can be added later, and a batch that is brought again still
 * meets the one that was there before.
 */
export function newBatchId(shard: number): string {
  const random = randomBytes(16)
  random[15] = shard
  return uuidv7({ random })
}

/** @returns the index of the shard that a batch belongs to */
export const shardOfBatch = (batchId: string, shards: number): number => Number.parseInt(batchId.slice(-2), 16) % shards
