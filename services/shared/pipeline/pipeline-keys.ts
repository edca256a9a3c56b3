import type { QueueShard } from '#core/redis/queue-shards.ts'

/** What proxies and workers tell the pipeline's accounts, in the first shard of the queue. */
export const pipelineKeys = ({ tag }: Pick<QueueShard, 'tag'>) => ({
  /** Hash: proxy id -> requests that it accepted in all. Absolute numbers, so telling it twice changes nothing. */
  accepted: `${tag}sallyport:accepted`,
  /** Hash: proxy id -> `ProxyReport`, while the proxy lives or what it left is not recovered. */
  proxies: `${tag}sallyport:proxies`,
  /** Hash: proxy id -> `WrittenOffProxy`, whose disk is gone. */
  writtenOff: `${tag}sallyport:written-off`,
  /** The sum of all differences that operators settled. */
  reconciled: `${tag}sallyport:reconciled`,
  /** Hash: worker id -> `WorkerReport`. */
  workers: `${tag}sallyport:workers`,
  /** Number of events that an operator dropped from the dead letters. */
  dropped: `${tag}sallyport:dropped`,
})
