import type { QueueShard } from '#core/redis/queue-shards.ts'

/** Delivery counters and reports of proxies and workers, in the first shard of the queue. */
export const pipelineKeys = ({ tag }: Pick<QueueShard, 'tag'>) => ({
  /** Hash: proxy id -> all requests that it accepted. An absolute number, so that a repeated report has no effect. */
  accepted: `${tag}sallyport:accepted`,
  /** Hash: proxy id -> `ProxyReport`, until the proxy has stopped and its spool is recovered. */
  proxies: `${tag}sallyport:proxies`,
  /** Hash: proxy id -> `WrittenOffProxy`. */
  writtenOff: `${tag}sallyport:written-off`,
  /** Sum of all differences that operators have reconciled. */
  reconciled: `${tag}sallyport:reconciled`,
  /** Hash: worker id -> `WorkerReport`. */
  workers: `${tag}sallyport:workers`,
  /** Number of dead-letter events that operators have dropped. */
  dropped: `${tag}sallyport:dropped`,
  /** Prefix: while an operator drops or replays this dead letter. */
  letterLock: `${tag}sallyport:dead-letter-lock`,
})
