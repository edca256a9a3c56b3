-- JSON, one element per response of a WebSocket session; empty for other requests.
ALTER TABLE request_details ADD COLUMN IF NOT EXISTS responses String CODEC(ZSTD(3));
