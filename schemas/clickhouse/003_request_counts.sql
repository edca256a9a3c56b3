-- A row may represent several requests that never went to the provider: they are counted, not listed individually.
-- `log_rows` is the number of rows to page through; before this migration, each request had one.
ALTER TABLE request_logs ADD COLUMN IF NOT EXISTS request_count UInt32 DEFAULT 1 CODEC(T64, ZSTD(1));

ALTER TABLE usage_minute ADD COLUMN IF NOT EXISTS log_rows SimpleAggregateFunction(sum, UInt64) DEFAULT requests;

ALTER TABLE usage_quarter_hour ADD COLUMN IF NOT EXISTS log_rows SimpleAggregateFunction(sum, UInt64) DEFAULT requests;

ALTER TABLE usage_day ADD COLUMN IF NOT EXISTS log_rows SimpleAggregateFunction(sum, UInt64) DEFAULT requests;

ALTER TABLE usage_minute_feed MODIFY QUERY
SELECT
  account_id,
  toStartOfMinute(toDateTime(created_at, 'UTC')) AS bucket,
  route, model, method, status, token_id, api_key_id,
  sum(logs.request_count) AS requests,
  count() AS log_rows,
  sumIf(logs.request_count, status >= 500 OR outcome IN ('upstream_failed', 'interrupted')) AS unavailable,
  sum(toUInt64(logs.response_time_ms) * logs.request_count) AS response_time_ms,
  sum(ifNull(logs.prompt_tokens, 0)) AS prompt_tokens,
  sum(ifNull(logs.completion_tokens, 0)) AS completion_tokens,
  sum(ifNull(logs.cached_tokens, 0)) AS cached_tokens,
  sum(ifNull(logs.cost_nano_usd, 0)) AS cost_nano_usd,
  sumIf(logs.request_count, isNull(logs.cost_nano_usd)) AS unpriced_requests,
  max(created_at) AS last_request_at
FROM request_logs AS logs
GROUP BY account_id, bucket, route, model, method, status, token_id, api_key_id;

ALTER TABLE usage_quarter_hour_feed MODIFY QUERY
SELECT
  account_id,
  toStartOfFifteenMinutes(minutes.bucket) AS bucket,
  route, model, method, status, token_id, api_key_id,
  sum(minutes.requests) AS requests,
  sum(minutes.log_rows) AS log_rows,
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

ALTER TABLE usage_day_feed MODIFY QUERY
SELECT
  account_id,
  toDate(quarters.bucket) AS bucket,
  route, model, method, status, token_id, api_key_id,
  sum(quarters.requests) AS requests,
  sum(quarters.log_rows) AS log_rows,
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

ALTER TABLE latency_minute_feed MODIFY QUERY
SELECT
  account_id,
  CAST(part.1, 'Enum8(\'all\' = 1, \'first_byte\' = 2, \'route\' = 3, \'model\' = 4)') AS dimension,
  toStartOfMinute(toDateTime(created_at, 'UTC')) AS bucket,
  part.2 AS value,
  toUInt16(round(log(greatest(part.3, 1)) / log(1.1))) AS time_key,
  sum(logs.request_count) AS requests
FROM request_logs AS logs
ARRAY JOIN arrayFilter(each -> isNotNull(each.3), [
  (1, '', CAST(response_time_ms, 'Nullable(UInt32)')), (2, '', time_to_first_byte_ms),
  (3, toString(route), response_time_ms), (4, toString(model), response_time_ms)
]) AS part
GROUP BY account_id, dimension, bucket, value, time_key;
