-- What screens read: their cost does not grow with the number of requests. Histogram keys are
-- round(log(ms) / log(1.1)), so a percentile is within 5 %. Quarter hours, so that half-hour time zones work.
CREATE TABLE IF NOT EXISTS usage_quarter_hour (
  account_id UUID,
  bucket DateTime('UTC'),
  route LowCardinality(String),
  model LowCardinality(String),
  status UInt16,
  token_id UUID,
  api_key_id UUID,
  requests SimpleAggregateFunction(sum, UInt64),
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
PARTITION BY toYYYYMM(bucket)
ORDER BY (account_id, bucket, route, model, status, token_id, api_key_id)
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS usage_quarter_hour_feed TO usage_quarter_hour AS
SELECT
  account_id,
  toStartOfFifteenMinutes(toDateTime(created_at, 'UTC')) AS bucket,
  route, model, status, token_id, api_key_id,
  count() AS requests,
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
GROUP BY account_id, bucket, route, model, status, token_id, api_key_id;

CREATE TABLE IF NOT EXISTS usage_day (
  account_id UUID,
  bucket Date,
  route LowCardinality(String),
  model LowCardinality(String),
  status UInt16,
  token_id UUID,
  api_key_id UUID,
  requests SimpleAggregateFunction(sum, UInt64),
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
PARTITION BY toYear(bucket)
ORDER BY (account_id, bucket, route, model, status, token_id, api_key_id)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS usage_day_feed TO usage_day AS
SELECT
  account_id,
  toDate(quarters.bucket) AS bucket,
  route, model, status, token_id, api_key_id,
  sum(quarters.requests) AS requests,
  sum(quarters.response_time_ms) AS response_time_ms,
  sum(quarters.prompt_tokens) AS prompt_tokens,
  sum(quarters.completion_tokens) AS completion_tokens,
  sum(quarters.cached_tokens) AS cached_tokens,
  sum(quarters.cost_nano_usd) AS cost_nano_usd,
  sum(quarters.unpriced_requests) AS unpriced_requests,
  max(quarters.last_request_at) AS last_request_at,
  sumMap(quarters.response_time_histogram) AS response_time_histogram,
  sumMap(quarters.first_byte_histogram) AS first_byte_histogram
FROM usage_quarter_hour AS quarters
GROUP BY account_id, bucket, route, model, status, token_id, api_key_id;
