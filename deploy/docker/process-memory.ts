/**
 * Set wherever a worker is started. Batches are megabytes large: without the threshold, glibc would keep their memory,
 * and in a larger young generation garbage would live longer. A worker uses about 280 MiB instead of 420.
 */
export const workerMemory = { NODE_OPTIONS: '--max-semi-space-size=8', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * Set wherever a proxy is started. A smaller young generation would be collected more often, which delays the slowest
 * requests. With one arena, glibc doesn't keep the memory of batches once per thread: after a million requests, a proxy
 * uses about 230 MiB instead of 280.
 */
export const proxyMemory = {
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=768',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '1',
}
