/**
 * Batches are megabytes large. Without the threshold, glibc would keep their memory, and with more than one arena, it
 * would keep some once per thread.
 */
const malloc = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' }

/**
 * Set wherever a worker is started. In a larger young generation garbage would live longer. A worker that drains a
 * backlog uses about 250 MiB instead of 420.
 */
export const workerMemory = { NODE_OPTIONS: '--max-semi-space-size=8', ...malloc }

/**
 * Set wherever a proxy is started. A smaller young generation would be collected more often, which delays the slowest
 * requests. After a million requests, a proxy uses about 230 MiB instead of 280.
 */
export const proxyMemory = { NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=768', ...malloc }
