import { v7 as uuidv7 } from 'uuid'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { day } from '#core/units.ts'

interface SeedOptions {
  rows: number
  /** Time of the newest rows, ms since 1970. */
  until: number
  days: number
  accounts: number
  /** The account with every fifth request. Its tokens and keys exist, so that screens can name them. */
  account: string
  tokens: readonly string[]
  keys: readonly string[]
  onProgress?: (rows: number) => void
}

const rowsAtOnce = 500_000

/**
 * Fills the store with plausible requests, oldest first, inside ClickHouse: rows never pass through this process. The
 * rollups are fed by the same views as in production.
 */
export async function seedRequestLogs(clickhouse: ClickHouseClient, options: SeedOptions): Promise<void> {
  const { rows, until, days, onProgress } = options
  const span = days * day
  for (let done = 0; done < rows;) {
    const count = Math.min(rowsAtOnce, rows - done)
    const from = until - span + Math.floor((span * done) / rows)
    const to = until - span + Math.floor((span * (done + count)) / rows)
    await clickhouse.command({
      query: `INSERT INTO request_logs (${columns}) SELECT ${columns} FROM (${source(options)})
        SETTINGS max_insert_block_size = ${rowsAtOnce}, min_insert_block_size_rows = ${rowsAtOnce},
          max_partitions_per_insert_block = 0, parallel_view_processing = 1, insert_deduplication_token = '${uuidv7()}'`,
      query_params: { from, length: (to - from) / count, count, accounts: options.accounts, account: options.account },
    })
    done += count
    onProgress?.(done)
  }
}

const columns = `account_id, created_at, id, token_id, api_key_id, method, endpoint, route, model, status,
  response_time_ms, time_to_first_byte_ms, overhead_us, attempts, cache_status, provider_request_id, streamed,
  prompt_tokens, completion_tokens, cached_tokens, cost_nano_usd, cost_source, request_bytes, response_bytes,
  error_message, error_code, client_address, user_agent, outcome, tags, search, ingested_at`

/** \`r1\` to \`r6\` are independent random numbers of a row. */
const source = ({ tokens, keys }: SeedOptions) => `
  WITH parts -> reinterpret(sipHash128(arrayStringConcat(parts, '/')), 'UUID') AS hexUuid
  SELECT *,
    -- UUIDv7: 48 bits of time, the version, the variant and random bits; the first half is the low word.
    reinterpret(bitOr(
      bitShiftLeft(toUInt128(bitOr(toUInt64(0x8000000000000000), bitShiftRight(r6, 2))), 64),
      toUInt128(bitOr(bitShiftLeft(toUInt64(ms), 16), bitOr(toUInt64(0x7000), r2 % 4096)))), 'UUID') AS id,
    if(r1 % 5 = 0, {account: UUID}, hexUuid(['a', toString(1 + r1 % {accounts: UInt32})])) AS account_id,
    fromUnixTimestamp64Milli(ms, 'UTC') AS created_at,
    r1 % 5 = 0 AS is_own,
    if(is_own, ${pick(tokens, 'r2')}, hexUuid(['t', toString(account_id), toString(r2 % 4)])) AS token_id,
    if(is_own, ${pick(keys, 'r3')}, hexUuid(['k', toString(account_id), toString(r3 % 2)])) AS api_key_id,
    multiIf(r4 % 100 < 70, '/v1/chat/completions', r4 % 100 < 85, '/v1/embeddings', r4 % 100 < 93, '/v1/responses',
      r4 % 100 < 97, '/v1/images/generations', '/v1/models') AS endpoint,
    endpoint AS route,
    if(endpoint = '/v1/models', 'GET', 'POST') AS method,
    multiIf(endpoint = '/v1/models', '', endpoint = '/v1/embeddings', 'text-embedding-3-small',
      endpoint = '/v1/images/generations', 'gpt-image-1',
      ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'o3', 'gpt-3.5-turbo'][1 + r2 % 5]) AS model,
    multiIf(r5 % 1000 < 960, 200, r5 % 1000 < 980, 429, r5 % 1000 < 988, 400, r5 % 1000 < 993, 500, r5 % 1000 < 996, 502,
      r5 % 1000 < 998, 404, 0) AS status,
    toUInt32(exp(5.5 + 2.2 * ((r3 % 1000 + r4 % 1000 + r5 % 1000) / 3000)) + r6 % 50) AS response_time_ms,
    if(status = 200, toUInt32(response_time_ms * (0.2 + (r6 % 60) / 100)), NULL) AS time_to_first_byte_ms,
    toUInt32(150 + r6 % 400) AS overhead_us,
    if(status >= 500, 3, 1) AS attempts,
    '' AS cache_status,
    concat('req_', lower(hex(r6))) AS provider_request_id,
    r6 % 3 = 0 AS streamed,
    if(status = 200, toUInt32(20 + r5 % 2000), NULL) AS prompt_tokens,
    if(status = 200, toUInt32(10 + r4 % 700), NULL) AS completion_tokens,
    if(status = 200, 0, NULL) AS cached_tokens,
    if(status = 200, toUInt64((20 + r5 % 2000) * 2500 + (10 + r4 % 700) * 10000), NULL) AS cost_nano_usd,
    if(status = 200, 'exact', 'unknown') AS cost_source,
    toUInt64(300 + r5 % 4000) AS request_bytes,
    toUInt64(400 + r4 % 6000) AS response_bytes,
    multiIf(status = 429, 'Rate limit reached for requests', status = 400, 'Invalid value for parameter',
      status >= 500, 'The provider failed', '') AS error_message,
    multiIf(status = 429, 'rate_limit_exceeded', status = 400, 'invalid_value', status >= 500, 'server_error', '') AS error_code,
    map('customer', concat('customer-', toString(r4 % 500)), 'feature', ['search', 'chat', 'summary'][1 + r5 % 3],
      'release', concat('1.', toString(r6 % 12)), 'user', concat('user-', toString(r2 % 20000)),
      'trace', lower(hex(r3))) AS tags,
    concat('10.', toString(r2 % 200), '.', toString(r3 % 200), '.7') AS client_address,
    ['OpenAI/Python 1.99.1', 'OpenAI/JS 5.12.0', 'curl/8.9.1', 'langchain/0.3'][1 + r3 % 4] AS user_agent,
    multiIf(status = 0, 'client_aborted', status = 502, 'upstream_failed', 'completed') AS outcome,
    lower(concat(method, '\\n', endpoint, '\\n', model, '\\n', toString(status), '\\n', outcome, '\\n', toString(id), '\\n',
      provider_request_id, '\\n', error_message, '\\n', user_agent)) AS search,
    created_at + toIntervalMillisecond(response_time_ms + 700 + r6 % 1500) AS ingested_at
  FROM (
    SELECT number, rand64(1) AS r1, rand64(2) AS r2, rand64(3) AS r3, rand64(4) AS r4, rand64(5) AS r5, rand64(6) AS r6,
      toInt64({from: Int64} + number * {length: Float64}) AS ms
    FROM numbers({count: UInt64})
  )`

const pick = (ids: readonly string[], random: string) =>
  `[${ids.map((id) => `toUUID('${id}')`).join(', ')}][1 + ${random} % ${ids.length}]`
