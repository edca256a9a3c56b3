import { mapValues } from '#core/records.ts'

const failed = 'status = 0 OR status >= 400'
const broken = `outcome IN ('upstream_failed', 'interrupted')`
const countIf = (condition: string) => `if(${condition}, request_count, 0)`
/** Sums of a group of requests: the column of the rollups, and the amount that a row adds to it. */
const sums = {
  requests: ['requests', 'request_count'],
  unavailable: ['unavailable', countIf(`status >= 500 OR ${broken}`)],
  responseTimeMs: ['response_time_ms', 'toUInt64(response_time_ms) * request_count'],
  promptTokens: ['prompt_tokens', 'ifNull(prompt_tokens, 0)'],
  completionTokens: ['completion_tokens', 'ifNull(completion_tokens, 0)'],
  cachedTokens: ['cached_tokens', 'ifNull(cached_tokens, 0)'],
  costNanoUsd: ['cost_nano_usd', 'ifNull(cost_nano_usd, 0)'],
  unpricedRequests: ['unpriced_requests', countIf('isNull(cost_nano_usd)')],
  cacheHits: ['cache_hits', countIf(`cache_status = 'hit'`)],
  retried: ['retried', countIf('attempts > 1')],
  failedOver: ['failed_over', countIf('failed_over')],
  aborted: ['aborted', countIf(`outcome = 'client_aborted'`)],
  broken: ['broken', countIf(broken)],
  /** Tokens of the requests that are in `generationMs`; buckets from before that column have none. */
  generatedTokens: ['if(generation_ms > 0, completion_tokens, 0)', 'ifNull(completion_tokens, 0)'],
  generationMs: ['generation_ms', 'if(ifNull(completion_tokens, 0) > 0, response_time_ms, 0)'],
  firstByteMs: ['first_byte_ms', 'toUInt64(ifNull(time_to_first_byte_ms, 0)) * request_count'],
  firstBytes: ['first_bytes', countIf('isNotNull(time_to_first_byte_ms)')],
} as const

/** Sums of a group of requests in a rollup. */
export type UsageSums = Record<keyof typeof sums | 'failures', number>

const named = Object.entries(sums)

const rowSums = named.map(([name, [, row]]) => `${row} AS ${name}`)
const bucketSums = named.map(([name, [column]]) => (column === name ? column : `${column} AS ${name}`))

/** SQL for the sums of a row or bucket of a table. */
export function sumsIn(table: string): string {
  if (table === 'request_logs') return [...rowSums, `${countIf(failed)} AS failures`].join(', ')
  // This rollup has no status.
  if (table === 'usage_series') return [...bucketSums, 'failures'].join(', ')
  return [...bucketSums, `if(${failed}, requests, 0) AS failures`].join(', ')
}

/** @param table alias of the table or subquery with the sums */
export const addSums = (table: string): string =>
  [...Object.keys(sums), 'failures'].map((name) => `sum(${table}.${name}) AS ${name}`).join(', ')

export const noSums: UsageSums = { ...mapValues(sums, () => 0), failures: 0 }
