/**
 * What every start of a worker sets. Batches are megabytes large: below the threshold, glibc would keep their memory, and
 * in a larger young generation garbage would stay longer. A worker takes some 280 MiB instead of 420.
 */
export const workerMemory = { NODE_OPTIONS: '--max-semi-space-size=8', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * What every start of a proxy sets. A smaller young generation would cost more collections, which are what the slowest
 * requests wait for. With one arena, glibc doesn't keep the memory of batches once for each thread: after a million
 * requests a proxy takes some 230 MiB instead of 280.
 */
export const proxyMemory = {
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=768',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '1',
}
