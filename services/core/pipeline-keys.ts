/** What proxies and workers tell the pipeline's accounts, in the queue's Redis. */
export const pipelineKeys = {
  /** Hash: proxy id -> requests that it accepted in all. Absolute numbers, so telling it twice changes nothing. */
  accepted: 'sallyport:accepted',
  /** Hash: proxy id -> `ProxyReport`, while the proxy lives or what it left is not recovered. */
  proxies: 'sallyport:proxies',
  /** Hash: proxy id -> `WrittenOffProxy`, whose disk is gone. */
  writtenOff: 'sallyport:written-off',
  /** Hash: worker id -> `WorkerReport`. */
  workers: 'sallyport:workers',
  /** Number of events that an operator dropped from the dead letters. */
  dropped: 'sallyport:dropped',
} as const
