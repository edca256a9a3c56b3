import { mib, second } from '#core/units.ts'

/** A group is stored at the first of these limits, or after the interval. A worker's shards share the bytes. */
export const maxRows = 50_000
export const maxBytes = 16 * mib

/** With up to a second in the spool, 95 % of the logs are visible after 1.5 s; with many workers, after 3 s. */
const shortestMs = 0.6 * second
const longestMs = 2 * second

/**
 * Time between two inserts of a consumer, ms: inserting a few rows costs ClickHouse as much as inserting thousands.
 * @param consumers workers × shards of the queue
 */
export const insertIntervalMs = (consumers: number): number => Math.min(shortestMs * Math.max(1, consumers), longestMs)
