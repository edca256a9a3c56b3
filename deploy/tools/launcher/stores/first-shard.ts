import type { QueueShard } from '#core/redis/queue-shards.ts'
import { openQueueConsumer, openQueueShards } from '#core/resources.ts'

/** The shard that also holds the pipeline's accounts. `redisQueueUrl`: as in `REDIS_QUEUE_URL`, one or several. */
export function openFirstShard({ redisQueueUrl }: { redisQueueUrl: string }): QueueShard {
  const [first = redisQueueUrl] = redisQueueUrl.split(',')
  return openQueueShards({ redisQueueUrls: [first], queueShards: 1, queueReplicas: 0 }, openQueueConsumer)[0]
}
