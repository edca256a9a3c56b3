import { Queue, type QueueOptions } from 'bullmq'
import { type QueueShard, queueOptions } from '#core/redis/queue-shards.ts'

/** A queue that is opened on first use, because BullMQ sets up its connection only once and needs Redis for it. */
export function lazyQueue<Data>(
  name: string,
  shard: QueueShard,
  options: Pick<QueueOptions, 'streams' | 'defaultJobOptions'> = {},
) {
  let queue: Queue<Data> | undefined

  function open(): Queue<Data> {
    const opened = new Queue<Data>(name, { ...queueOptions(shard), ...options })
    // Failed calls throw anyway; without a listener, the event would end the process.
    opened.on('error', () => undefined)
    return opened
  }

  return {
    /** @throws Error while Redis is not connected */
    async connected(): Promise<Queue<Data>> {
      if (shard.redis.status !== 'ready') throw new Error('the queue is not connected')
      queue ??= open()
      try {
        await queue.waitUntilReady()
        return queue
      } catch (error) {
        queue = undefined
        throw error
      }
    },
    close: async () => queue?.close(),
  }
}
