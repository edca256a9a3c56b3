-- One row per finished request, without bodies, so that lists and searches never read them. The deduplication window
-- makes a repeated insert with the same token a no-op; with the default of 0 it would be stored twice. Zero UUID: no
-- key or token was involved; status 0: no response reached the client; NULL: unknown. The migration runner sets the TTL
-- of every table, because retention is configurable.
CREATE TABLE IF NOT EXISTS request_logs (
  account_id UUID,
  created_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  id UUID,
  token_id UUID,
  api_key_id UUID,
  method LowCardinality(String),
  endpoint String CODEC(ZSTD(1)),
  route LowCardinality(String),
  model LowCardinality(String),
  status UInt16,
  response_time_ms UInt32 CODEC(T64, ZSTD(1)),
  time_to_first_byte_ms Nullable(UInt32) CODEC(ZSTD(1)),
  -- Latency added by the gateway.
  overhead_us Nullable(UInt32) CODEC(ZSTD(1)),
  attempts UInt8,
  cache_status LowCardinality(String),
  provider_request_id String CODEC(ZSTD(1)),
  streamed Bool,
  prompt_tokens Nullable(UInt32) CODEC(ZSTD(1)),
  completion_tokens Nullable(UInt32) CODEC(ZSTD(1)),
  cached_tokens Nullable(UInt32) CODEC(ZSTD(1)),
  cost_nano_usd Nullable(UInt64) CODEC(ZSTD(1)),
  cost_source Enum8('exact' = 1, 'estimated' = 2, 'unknown' = 3),
  request_bytes UInt64 CODEC(T64, ZSTD(1)),
  response_bytes UInt64 CODEC(T64, ZSTD(1)),
  error_message String CODEC(ZSTD(3)),
  client_address String CODEC(ZSTD(1)),
  user_agent String CODEC(ZSTD(1)),
  outcome Enum8('completed' = 1, 'client_aborted' = 2, 'upstream_failed' = 3, 'interrupted' = 4),
  -- Lower-case text for searches.
  search String CODEC(ZSTD(3)),
  ingested_at DateTime64(3, 'UTC') DEFAULT now64(3) CODEC(Delta, ZSTD(1)),
  INDEX status_set status TYPE set(64) GRANULARITY 1,
  INDEX response_time_range response_time_ms TYPE minmax GRANULARITY 1,
  INDEX search_words search TYPE text(tokenizer = splitByNonAlpha)
) ENGINE = MergeTree
PARTITION BY toMonday(created_at)
ORDER BY (account_id, created_at, id)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1;

-- Headers (redacted) are always stored, bodies only if the account keeps them.
CREATE TABLE IF NOT EXISTS request_details (
  account_id UUID,
  created_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  id UUID,
  request_headers String CODEC(ZSTD(3)),
  response_headers String CODEC(ZSTD(3)),
  -- JSON, one element per attempt.
  attempt_log String CODEC(ZSTD(3)),
  request_body Nullable(String) CODEC(ZSTD(3)),
  response_body Nullable(String) CODEC(ZSTD(3))
) ENGINE = MergeTree
PARTITION BY toMonday(created_at)
ORDER BY (account_id, created_at, id)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1,
  index_granularity = 256;

-- Counts of stored events for the operator; unaffected when logs expire or an account is deleted.
CREATE TABLE IF NOT EXISTS ingest_minute (
  bucket DateTime('UTC'),
  events SimpleAggregateFunction(sum, UInt64),
  -- From the end of a request to its row, ms, as round(log(ms) / log(1.1)).
  lag_histogram SimpleAggregateFunction(sumMap, Map(UInt16, UInt64))
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(bucket)
ORDER BY bucket
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS ingest_minute_feed TO ingest_minute AS
SELECT
  toStartOfMinute(toDateTime(ingested_at, 'UTC')) AS bucket,
  count() AS events,
  sumMap(map(toUInt16(round(log(greatest(
    toInt64(toUnixTimestamp64Milli(ingested_at)) - toUnixTimestamp64Milli(created_at) - response_time_ms, 1)) / log(1.1))),
    toUInt64(1))) AS lag_histogram
FROM request_logs AS logs
GROUP BY bucket;

-- Deleted accounts, whose late events are deleted again.
CREATE TABLE IF NOT EXISTS deleted_accounts (
  account_id UUID,
  deleted_at DateTime64(3, 'UTC') DEFAULT now64(3)
) ENGINE = ReplacingMergeTree
ORDER BY account_id;
