-- One row a finished request. Light columns only: lists and searches never touch bodies.
-- The deduplication window makes a repeated insert with the same token a no-op; 0, the default, would double it.
-- Zero UUID: no key or token was involved; status 0: no answer reached the client; NULL: not known.
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
  attempts UInt8,
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
  ingested_at DateTime64(3, 'UTC') DEFAULT now64(3) CODEC(Delta, ZSTD(1)),
  INDEX status_set status TYPE set(64) GRANULARITY 1
) ENGINE = MergeTree
PARTITION BY toMonday(created_at)
ORDER BY (account_id, created_at, id)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- Headers always (redacted), bodies only where the account keeps them.
CREATE TABLE IF NOT EXISTS request_details (
  account_id UUID,
  created_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  id UUID,
  request_headers String CODEC(ZSTD(3)),
  response_headers String CODEC(ZSTD(3)),
  request_body Nullable(String) CODEC(ZSTD(3)),
  response_body Nullable(String) CODEC(ZSTD(3))
) ENGINE = MergeTree
PARTITION BY toMonday(created_at)
ORDER BY (account_id, created_at, id)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, index_granularity = 256;
