import type { QueueShard } from '#core/redis/queue-shards.ts'
import { openQueueConsumer, openQueueShards } from '#core/redis/connections.ts'

/** Opens the shard with the delivery counters. `redisQueueUrl`: one or several URLs, as in `REDIS_QUEUE_URL`. */
export function openFirstShard({ redisQueueUrl }: { redisQueueUrl: string }): QueueShard {
  const [first = redisQueueUrl] = redisQueueUrl.split(',')
  return openQueueShards({ redisQueueUrls: [first], queueShards: 1, queueReplicas: 0 }, openQueueConsumer)[0]
}
