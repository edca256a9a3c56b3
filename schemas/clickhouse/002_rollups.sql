-- Rollups for the screens, whose queries then don't slow down as requests accumulate. Each table is fed by the next
-- finer one. `unavailable`: failures of the provider or the gateway, not errors of clients.
CREATE TABLE IF NOT EXISTS usage_minute (
  account_id UUID,
  bucket DateTime('UTC'),
  route LowCardinality(String),
  model LowCardinality(String),
  method LowCardinality(String),
  status UInt16,
  token_id UUID,
  api_key_id UUID,
  requests SimpleAggregateFunction(sum, UInt64),
  unavailable SimpleAggregateFunction(sum, UInt64),
  response_time_ms SimpleAggregateFunction(sum, UInt64),
  prompt_tokens SimpleAggregateFunction(sum, UInt64),
  completion_tokens SimpleAggregateFunction(sum, UInt64),
  cached_tokens SimpleAggregateFunction(sum, UInt64),
  cost_nano_usd SimpleAggregateFunction(sum, UInt64),
  unpriced_requests SimpleAggregateFunction(sum, UInt64),
  last_request_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree
PARTITION BY toMonday(bucket)
ORDER BY (account_id, bucket, route, model, method, status, token_id, api_key_id)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS usage_minute_feed TO usage_minute AS
SELECT
  account_id,
  toStartOfMinute(toDateTime(created_at, 'UTC')) AS bucket,
  route, model, method, status, token_id, api_key_id,
  count() AS requests,
  countIf(status >= 500 OR outcome IN ('upstream_failed', 'interrupted')) AS unavailable,
  sum(logs.response_time_ms) AS response_time_ms,
  sum(ifNull(logs.prompt_tokens, 0)) AS prompt_tokens,
  sum(ifNull(logs.completion_tokens, 0)) AS completion_tokens,
  sum(ifNull(logs.cached_tokens, 0)) AS cached_tokens,
  sum(ifNull(logs.cost_nano_usd, 0)) AS cost_nano_usd,
  countIf(isNull(logs.cost_nano_usd)) AS unpriced_requests,
  max(created_at) AS last_request_at
FROM request_logs AS logs
GROUP BY account_id, bucket, route, model, method, status, token_id, api_key_id;

-- Quarter hours, so that half-hour time zones work. Counts for any combination of filters.
CREATE TABLE IF NOT EXISTS usage_quarter_hour (
  account_id UUID,
  bucket DateTime('UTC'),
  route LowCardinality(String),
  model LowCardinality(String),
  method LowCardinality(String),
  status UInt16,
  token_id UUID,
  api_key_id UUID,
  requests SimpleAggregateFunction(sum, UInt64),
  unavailable SimpleAggregateFunction(sum, UInt64),
  response_time_ms SimpleAggregateFunction(sum, UInt64),
  prompt_tokens SimpleAggregateFunction(sum, UInt64),
  completion_tokens SimpleAggregateFunction(sum, UInt64),
  cached_tokens SimpleAggregateFunction(sum, UInt64),
  cost_nano_usd SimpleAggregateFunction(sum, UInt64),
  unpriced_requests SimpleAggregateFunction(sum, UInt64),
  last_request_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfQuarter(bucket)
ORDER BY (account_id, bucket, route, model, method, status, token_id, api_key_id)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS usage_quarter_hour_feed TO usage_quarter_hour AS
SELECT
  account_id,
  toStartOfFifteenMinutes(minutes.bucket) AS bucket,
  route, model, method, status, token_id, api_key_id,
  sum(minutes.requests) AS requests,
  sum(minutes.unavailable) AS unavailable,
  sum(minutes.response_time_ms) AS response_time_ms,
  sum(minutes.prompt_tokens) AS prompt_tokens,
  sum(minutes.completion_tokens) AS completion_tokens,
  sum(minutes.cached_tokens) AS cached_tokens,
  sum(minutes.cost_nano_usd) AS cost_nano_usd,
  sum(minutes.unpriced_requests) AS unpriced_requests,
  max(minutes.last_request_at) AS last_request_at
FROM usage_minute AS minutes
GROUP BY account_id, bucket, route, model, method, status, token_id, api_key_id;

-- Never expires: all-time totals, and usage counts of keys and tokens.
CREATE TABLE IF NOT EXISTS usage_day (
  account_id UUID,
  bucket Date,
  route LowCardinality(String),
  model LowCardinality(String),
  method LowCardinality(String),
  status UInt16,
  token_id UUID,
  api_key_id UUID,
  requests SimpleAggregateFunction(sum, UInt64),
  unavailable SimpleAggregateFunction(sum, UInt64),
  response_time_ms SimpleAggregateFunction(sum, UInt64),
  prompt_tokens SimpleAggregateFunction(sum, UInt64),
  completion_tokens SimpleAggregateFunction(sum, UInt64),
  cached_tokens SimpleAggregateFunction(sum, UInt64),
  cost_nano_usd SimpleAggregateFunction(sum, UInt64),
  unpriced_requests SimpleAggregateFunction(sum, UInt64),
  last_request_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(bucket)
ORDER BY (account_id, bucket, route, model, method, status, token_id, api_key_id)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS usage_day_feed TO usage_day AS
SELECT
  account_id,
  toDate(quarters.bucket) AS bucket,
  route, model, method, status, token_id, api_key_id,
  sum(quarters.requests) AS requests,
  sum(quarters.unavailable) AS unavailable,
  sum(quarters.response_time_ms) AS response_time_ms,
  sum(quarters.prompt_tokens) AS prompt_tokens,
  sum(quarters.completion_tokens) AS completion_tokens,
  sum(quarters.cached_tokens) AS cached_tokens,
  sum(quarters.cost_nano_usd) AS cost_nano_usd,
  sum(quarters.unpriced_requests) AS unpriced_requests,
  max(quarters.last_request_at) AS last_request_at
FROM usage_quarter_hour AS quarters
GROUP BY account_id, bucket, route, model, method, status, token_id, api_key_id;

-- An account's quarter hours without dimensions, for time charts.
CREATE TABLE IF NOT EXISTS usage_series (
  account_id UUID,
  bucket DateTime('UTC'),
  failures SimpleAggregateFunction(sum, UInt64),
  requests SimpleAggregateFunction(sum, UInt64),
  unavailable SimpleAggregateFunction(sum, UInt64),
  response_time_ms SimpleAggregateFunction(sum, UInt64),
  prompt_tokens SimpleAggregateFunction(sum, UInt64),
  completion_tokens SimpleAggregateFunction(sum, UInt64),
  cached_tokens SimpleAggregateFunction(sum, UInt64),
  cost_nano_usd SimpleAggregateFunction(sum, UInt64),
  unpriced_requests SimpleAggregateFunction(sum, UInt64),
  last_request_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfQuarter(bucket)
ORDER BY (account_id, bucket)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS usage_series_feed TO usage_series AS
SELECT
  account_id,
  bucket,
  sumIf(quarters.requests, quarters.status = 0 OR quarters.status >= 400) AS failures,
  sum(quarters.requests) AS requests,
  sum(quarters.unavailable) AS unavailable,
  sum(quarters.response_time_ms) AS response_time_ms,
  sum(quarters.prompt_tokens) AS prompt_tokens,
  sum(quarters.completion_tokens) AS completion_tokens,
  sum(quarters.cached_tokens) AS cached_tokens,
  sum(quarters.cost_nano_usd) AS cost_nano_usd,
  sum(quarters.unpriced_requests) AS unpriced_requests,
  max(quarters.last_request_at) AS last_request_at
FROM usage_quarter_hour AS quarters
GROUP BY account_id, bucket;

-- Response times: `time_key` is round(log(ms) / log(1.1)), so percentiles are within 5 %, and histograms can be added
-- over any range. One dimension per row: `all` and `first_byte` have only the empty value.
CREATE TABLE IF NOT EXISTS latency_minute (
  account_id UUID,
  dimension Enum8('all' = 1, 'first_byte' = 2, 'route' = 3, 'model' = 4),
  bucket DateTime('UTC'),
  value LowCardinality(String),
  time_key UInt16,
  requests SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
PARTITION BY toMonday(bucket)
ORDER BY (account_id, dimension, bucket, value, time_key)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS latency_minute_feed TO latency_minute AS
SELECT
  account_id,
  CAST(part.1, 'Enum8(\'all\' = 1, \'first_byte\' = 2, \'route\' = 3, \'model\' = 4)') AS dimension,
  toStartOfMinute(toDateTime(created_at, 'UTC')) AS bucket,
  part.2 AS value,
  toUInt16(round(log(greatest(part.3, 1)) / log(1.1))) AS time_key,
  count() AS requests
FROM request_logs AS logs
ARRAY JOIN arrayFilter(each -> isNotNull(each.3), [
  (1, '', CAST(response_time_ms, 'Nullable(UInt32)')), (2, '', time_to_first_byte_ms),
  (3, toString(route), response_time_ms), (4, toString(model), response_time_ms)
]) AS part
GROUP BY account_id, dimension, bucket, value, time_key;

CREATE TABLE IF NOT EXISTS latency_quarter_hour (
  account_id UUID,
  dimension Enum8('all' = 1, 'first_byte' = 2, 'route' = 3, 'model' = 4),
  bucket DateTime('UTC'),
  value LowCardinality(String),
  time_key UInt16,
  requests SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfQuarter(bucket)
ORDER BY (account_id, dimension, bucket, value, time_key)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS latency_quarter_hour_feed TO latency_quarter_hour AS
SELECT account_id, dimension, toStartOfFifteenMinutes(minutes.bucket) AS bucket, value, time_key, sum(minutes.requests) AS requests
FROM latency_minute AS minutes
GROUP BY account_id, dimension, bucket, value, time_key;

CREATE TABLE IF NOT EXISTS latency_day (
  account_id UUID,
  dimension Enum8('all' = 1, 'first_byte' = 2, 'route' = 3, 'model' = 4),
  bucket Date,
  value LowCardinality(String),
  time_key UInt16,
  requests SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(bucket)
ORDER BY (account_id, dimension, bucket, value, time_key)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS latency_day_feed TO latency_day AS
SELECT account_id, dimension, toDate(quarters.bucket) AS bucket, value, time_key, sum(quarters.requests) AS requests
FROM latency_quarter_hour AS quarters
GROUP BY account_id, dimension, bucket, value, time_key;
