-- Times of rows are read by each query: Delta and LZ4 decode in half the time of DoubleDelta and ZSTD. T64 makes the
-- counts of rollups smaller and faster to read. Existing parts change as they are merged.
ALTER TABLE request_logs MODIFY COLUMN created_at DateTime64(3, 'UTC') CODEC(Delta, LZ4);

ALTER TABLE usage_minute
  MODIFY COLUMN requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN unavailable SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN response_time_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN prompt_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN completion_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cached_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cost_nano_usd SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN unpriced_requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cache_hits SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN retried SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN failed_over SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN aborted SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN broken SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN generation_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN first_byte_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN first_bytes SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4);

ALTER TABLE usage_quarter_hour
  MODIFY COLUMN requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN unavailable SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN response_time_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN prompt_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN completion_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cached_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cost_nano_usd SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN unpriced_requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cache_hits SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN retried SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN failed_over SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN aborted SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN broken SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN generation_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN first_byte_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN first_bytes SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4);

ALTER TABLE usage_day
  MODIFY COLUMN requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN unavailable SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN response_time_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN prompt_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN completion_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cached_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cost_nano_usd SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN unpriced_requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cache_hits SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN retried SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN failed_over SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN aborted SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN broken SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN generation_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN first_byte_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN first_bytes SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4);

ALTER TABLE usage_series
  MODIFY COLUMN failures SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN unavailable SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN response_time_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN prompt_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN completion_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cached_tokens SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cost_nano_usd SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN unpriced_requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN cache_hits SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN retried SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN failed_over SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN aborted SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN broken SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN generation_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN first_byte_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
  MODIFY COLUMN first_bytes SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4);

ALTER TABLE latency_minute MODIFY COLUMN requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4);

ALTER TABLE latency_quarter_hour MODIFY COLUMN requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4);

ALTER TABLE latency_day MODIFY COLUMN requests SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4);
