import { Queue, type QueueOptions } from 'bullmq'
import { type QueueShard, queueOptions } from '#core/redis/queue-shards.ts'

export interface LazyQueue<Data> {
  /** @throws Error while Redis is away */
  connected(): Promise<Queue<Data>>
  close(): Promise<void>
}

/** A queue that is opened when it is needed: BullMQ prepares its connection only once, so Redis must be there by then. */
export function lazyQueue<Data>(
  name: string,
  shard: QueueShard,
  options: Pick<QueueOptions, 'streams' | 'defaultJobOptions'> = {},
): LazyQueue<Data> {
  let queue: Queue<Data> | undefined

  function open(): Queue<Data> {
    const opened = new Queue<Data>(name, { ...queueOptions(shard), ...options })
    // Each failed call reports itself to its caller; without a listener the process would end.
    opened.on('error', () => undefined)
    return opened
  }

  return {
    async connected() {
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
