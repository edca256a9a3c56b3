-- Tags of a request, and the provider's own error texts. Empty: none.
ALTER TABLE request_logs ADD COLUMN IF NOT EXISTS error_code LowCardinality(String);

ALTER TABLE request_logs ADD COLUMN IF NOT EXISTS error_type LowCardinality(String);

ALTER TABLE request_logs ADD COLUMN IF NOT EXISTS query String CODEC(ZSTD(3));

ALTER TABLE request_logs ADD COLUMN IF NOT EXISTS tags Map(LowCardinality(String), String) CODEC(ZSTD(1));
