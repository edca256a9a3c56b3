import type { QueueShard } from '#core/redis/queue-shards.ts'

/** Delivery counters and reports of proxies and workers, in the first shard of the queue. */
export const pipelineKeys = ({ tag }: Pick<QueueShard, 'tag'>) => ({
  /** Hash: proxy id -> all requests that it accepted. Absolute, so that a repeated report has no effect. */
  accepted: `${tag}sallyport:accepted`,
  /** Hash: proxy id -> `ProxyReport`, until the proxy has stopped and its spool is recovered. */
  proxies: `${tag}sallyport:proxies`,
  /** Hash: proxy id -> `WrittenOffProxy`. */
  writtenOff: `${tag}sallyport:written-off`,
  /** The sum of all differences that operators reconciled. */
  reconciled: `${tag}sallyport:reconciled`,
  /** Hash: worker id -> `WorkerReport`. */
  workers: `${tag}sallyport:workers`,
  /** Number of events that an operator dropped from the dead letters. */
  dropped: `${tag}sallyport:dropped`,
})
