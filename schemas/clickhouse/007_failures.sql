-- Requests other than plain successes (status 200, completed, no error code) have histograms of their own: `failure` and
-- `failure_first_byte`, with status, outcome and error code as the value. Plain successes are `all` minus these.
-- Coarser tables first, because the finer ones feed them.
ALTER TABLE latency_day MODIFY COLUMN dimension Enum8('all' = 1, 'first_byte' = 2, 'route' = 3, 'model' = 4, 'token' = 5, 'key' = 6, 'failure' = 7, 'failure_first_byte' = 8);

ALTER TABLE latency_quarter_hour MODIFY COLUMN dimension Enum8('all' = 1, 'first_byte' = 2, 'route' = 3, 'model' = 4, 'token' = 5, 'key' = 6, 'failure' = 7, 'failure_first_byte' = 8);

ALTER TABLE latency_minute MODIFY COLUMN dimension Enum8('all' = 1, 'first_byte' = 2, 'route' = 3, 'model' = 4, 'token' = 5, 'key' = 6, 'failure' = 7, 'failure_first_byte' = 8);

ALTER TABLE latency_minute_feed MODIFY QUERY
WITH if(status = 200 AND outcome = 'completed' AND error_code = '', '',
  concat(toString(status), ' ', toString(outcome), ' ', error_code)) AS failure
SELECT
  account_id,
  CAST(part.1, 'Enum8(\'all\' = 1, \'first_byte\' = 2, \'route\' = 3, \'model\' = 4, \'token\' = 5, \'key\' = 6, \'failure\' = 7, \'failure_first_byte\' = 8)') AS dimension,
  toStartOfMinute(toDateTime(created_at, 'UTC')) AS bucket,
  part.2 AS value,
  toUInt16(round(log(greatest(part.3, 1)) / log(1.1))) AS time_key,
  sum(logs.request_count) AS requests
FROM request_logs AS logs
ARRAY JOIN arrayFilter(each -> isNotNull(each.3), [
  (1, '', CAST(response_time_ms, 'Nullable(UInt32)')), (2, '', time_to_first_byte_ms),
  (3, toString(route), response_time_ms), (4, toString(model), response_time_ms),
  (5, toString(token_id), response_time_ms), (6, toString(api_key_id), response_time_ms),
  (7, failure, if(failure = '', NULL, response_time_ms)), (8, failure, if(failure = '', NULL, time_to_first_byte_ms))
]) AS part
GROUP BY account_id, dimension, bucket, value, time_key;

-- Counts by outcome and error code. Earlier buckets have the outcome `unknown`.
ALTER TABLE usage_day
  ADD COLUMN IF NOT EXISTS outcome Enum8('unknown' = 0, 'completed' = 1, 'client_aborted' = 2, 'upstream_failed' = 3, 'interrupted' = 4),
  ADD COLUMN IF NOT EXISTS error_code LowCardinality(String),
  MODIFY ORDER BY (account_id, bucket, route, model, method, status, token_id, api_key_id, outcome, error_code);

ALTER TABLE usage_quarter_hour
  ADD COLUMN IF NOT EXISTS outcome Enum8('unknown' = 0, 'completed' = 1, 'client_aborted' = 2, 'upstream_failed' = 3, 'interrupted' = 4),
  ADD COLUMN IF NOT EXISTS error_code LowCardinality(String),
  MODIFY ORDER BY (account_id, bucket, route, model, method, status, token_id, api_key_id, outcome, error_code);

ALTER TABLE usage_minute
  ADD COLUMN IF NOT EXISTS outcome Enum8('unknown' = 0, 'completed' = 1, 'client_aborted' = 2, 'upstream_failed' = 3, 'interrupted' = 4),
  ADD COLUMN IF NOT EXISTS error_code LowCardinality(String),
  MODIFY ORDER BY (account_id, bucket, route, model, method, status, token_id, api_key_id, outcome, error_code);

ALTER TABLE usage_day_feed MODIFY QUERY
SELECT
  account_id,
  toDate(quarters.bucket) AS bucket,
  route, model, method, status, token_id, api_key_id, outcome, error_code,
  sum(quarters.requests) AS requests,
  sum(quarters.log_rows) AS log_rows,
  sum(quarters.unavailable) AS unavailable,
  sum(quarters.response_time_ms) AS response_time_ms,
  sum(quarters.prompt_tokens) AS prompt_tokens,
  sum(quarters.completion_tokens) AS completion_tokens,
  sum(quarters.cached_tokens) AS cached_tokens,
  sum(quarters.cost_nano_usd) AS cost_nano_usd,
  sum(quarters.unpriced_requests) AS unpriced_requests,
  sum(quarters.cache_hits) AS cache_hits,
  sum(quarters.retried) AS retried,
  sum(quarters.failed_over) AS failed_over,
  sum(quarters.aborted) AS aborted,
  sum(quarters.broken) AS broken,
  sum(quarters.generation_ms) AS generation_ms,
  sum(quarters.first_byte_ms) AS first_byte_ms,
  sum(quarters.first_bytes) AS first_bytes,
  max(quarters.last_request_at) AS last_request_at
FROM usage_quarter_hour AS quarters
GROUP BY account_id, bucket, route, model, method, status, token_id, api_key_id, outcome, error_code;

ALTER TABLE usage_quarter_hour_feed MODIFY QUERY
SELECT
  account_id,
  toStartOfFifteenMinutes(minutes.bucket) AS bucket,
  route, model, method, status, token_id, api_key_id, outcome, error_code,
  sum(minutes.requests) AS requests,
  sum(minutes.log_rows) AS log_rows,
  sum(minutes.unavailable) AS unavailable,
  sum(minutes.response_time_ms) AS response_time_ms,
  sum(minutes.prompt_tokens) AS prompt_tokens,
  sum(minutes.completion_tokens) AS completion_tokens,
  sum(minutes.cached_tokens) AS cached_tokens,
  sum(minutes.cost_nano_usd) AS cost_nano_usd,
  sum(minutes.unpriced_requests) AS unpriced_requests,
  sum(minutes.cache_hits) AS cache_hits,
  sum(minutes.retried) AS retried,
  sum(minutes.failed_over) AS failed_over,
  sum(minutes.aborted) AS aborted,
  sum(minutes.broken) AS broken,
  sum(minutes.generation_ms) AS generation_ms,
  sum(minutes.first_byte_ms) AS first_byte_ms,
  sum(minutes.first_bytes) AS first_bytes,
  max(minutes.last_request_at) AS last_request_at
FROM usage_minute AS minutes
GROUP BY account_id, bucket, route, model, method, status, token_id, api_key_id, outcome, error_code;

ALTER TABLE usage_minute_feed MODIFY QUERY
SELECT
  account_id,
  toStartOfMinute(toDateTime(created_at, 'UTC')) AS bucket,
  route, model, method, status, token_id, api_key_id, outcome, error_code,
  sum(logs.request_count) AS requests,
  count() AS log_rows,
  sumIf(logs.request_count, status >= 500 OR outcome IN ('upstream_failed', 'interrupted')) AS unavailable,
  sum(toUInt64(logs.response_time_ms) * logs.request_count) AS response_time_ms,
  sum(ifNull(logs.prompt_tokens, 0)) AS prompt_tokens,
  sum(ifNull(logs.completion_tokens, 0)) AS completion_tokens,
  sum(ifNull(logs.cached_tokens, 0)) AS cached_tokens,
  sum(ifNull(logs.cost_nano_usd, 0)) AS cost_nano_usd,
  sumIf(logs.request_count, isNull(logs.cost_nano_usd)) AS unpriced_requests,
  sumIf(logs.request_count, cache_status = 'hit') AS cache_hits,
  sumIf(logs.request_count, attempts > 1) AS retried,
  sumIf(logs.request_count, logs.failed_over) AS failed_over,
  sumIf(logs.request_count, outcome = 'client_aborted') AS aborted,
  sumIf(logs.request_count, outcome IN ('upstream_failed', 'interrupted')) AS broken,
  sumIf(toUInt64(logs.response_time_ms), logs.completion_tokens > 0) AS generation_ms,
  sum(toUInt64(ifNull(logs.time_to_first_byte_ms, 0)) * logs.request_count) AS first_byte_ms,
  sumIf(logs.request_count, isNotNull(logs.time_to_first_byte_ms)) AS first_bytes,
  max(created_at) AS last_request_at
FROM request_logs AS logs
GROUP BY account_id, bucket, route, model, method, status, token_id, api_key_id, outcome, error_code;
