-- What screens read: their cost does not grow with the number of requests. Each table is fed by the finer one.
-- Histogram keys are round(log(ms) / log(1.1)), so a percentile is within 5 %.
-- `unavailable`: the provider or the gateway failed; what a client did wrong is not in it.
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
  last_request_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  response_time_histogram SimpleAggregateFunction(sumMap, Map(UInt16, UInt64)),
  first_byte_histogram SimpleAggregateFunction(sumMap, Map(UInt16, UInt64))
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
  max(created_at) AS last_request_at,
  sumMap(map(toUInt16(round(log(greatest(logs.response_time_ms, 1)) / log(1.1))), toUInt64(1))) AS response_time_histogram,
  sumMapIf(map(toUInt16(round(log(greatest(ifNull(time_to_first_byte_ms, 1), 1)) / log(1.1))), toUInt64(1)),
    isNotNull(time_to_first_byte_ms)) AS first_byte_histogram
FROM request_logs AS logs
GROUP BY account_id, bucket, route, model, method, status, token_id, api_key_id;

-- Counts for any combination of filters.
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
PARTITION BY toYYYYMM(bucket)
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

-- Kept for good: totals of all time, and how often each key and token was used.
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

-- One dimension a row, in quarter hours, so that half-hour time zones work: a chart over any range reads the sum of
-- the dimension's values, not the product of all dimensions. `all` has one value, the empty one.
CREATE TABLE IF NOT EXISTS usage_breakdown (
  account_id UUID,
  dimension Enum8('all' = 1, 'route' = 2, 'model' = 3, 'status' = 4, 'token' = 5, 'key' = 6),
  bucket DateTime('UTC'),
  value LowCardinality(String),
  requests SimpleAggregateFunction(sum, UInt64),
  failures SimpleAggregateFunction(sum, UInt64),
  unavailable SimpleAggregateFunction(sum, UInt64),
  response_time_ms SimpleAggregateFunction(sum, UInt64),
  prompt_tokens SimpleAggregateFunction(sum, UInt64),
  completion_tokens SimpleAggregateFunction(sum, UInt64),
  cached_tokens SimpleAggregateFunction(sum, UInt64),
  cost_nano_usd SimpleAggregateFunction(sum, UInt64),
  unpriced_requests SimpleAggregateFunction(sum, UInt64),
  response_time_histogram SimpleAggregateFunction(sumMap, Map(UInt16, UInt64)),
  first_byte_histogram SimpleAggregateFunction(sumMap, Map(UInt16, UInt64))
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(bucket)
ORDER BY (account_id, dimension, bucket, value)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS usage_breakdown_feed TO usage_breakdown AS
SELECT
  account_id,
  CAST(part.1, 'Enum8(\'all\' = 1, \'route\' = 2, \'model\' = 3, \'status\' = 4, \'token\' = 5, \'key\' = 6)') AS dimension,
  toStartOfFifteenMinutes(minutes.bucket) AS bucket,
  part.2 AS value,
  sum(minutes.requests) AS requests,
  sumIf(minutes.requests, minutes.status = 0 OR minutes.status >= 400) AS failures,
  sum(minutes.unavailable) AS unavailable,
  sum(minutes.response_time_ms) AS response_time_ms,
  sum(minutes.prompt_tokens) AS prompt_tokens,
  sum(minutes.completion_tokens) AS completion_tokens,
  sum(minutes.cached_tokens) AS cached_tokens,
  sum(minutes.cost_nano_usd) AS cost_nano_usd,
  sum(minutes.unpriced_requests) AS unpriced_requests,
  sumMap(minutes.response_time_histogram) AS response_time_histogram,
  sumMap(minutes.first_byte_histogram) AS first_byte_histogram
FROM usage_minute AS minutes
ARRAY JOIN [
  ('all', ''), ('route', toString(minutes.route)), ('model', toString(minutes.model)),
  ('status', toString(minutes.status)), ('token', toString(minutes.token_id)), ('key', toString(minutes.api_key_id))
] AS part
GROUP BY account_id, dimension, bucket, value;
