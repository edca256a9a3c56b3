-- JSON, one element for each response of a WebSocket session; empty for every other request.
ALTER TABLE request_details ADD COLUMN IF NOT EXISTS responses String CODEC(ZSTD(3));
