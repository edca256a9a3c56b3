/** Variables that contain credentials: they can be read from a file, and no error repeats them. */
export const secretVariables: readonly string[] = [
  'POSTGRES_URL',
  'POSTGRES_ADMIN_URL',
  'REDIS_STATE_URL',
  'REDIS_QUEUE_URL',
  'CLICKHOUSE_URL',
  'MASTER_KEYS',
  'SESSION_SECRET',
  'UPSTREAM_PROXY_URL',
  'PAYPAL_CLIENT_SECRET',
  'SMTP_URL',
  'LOG_ARCHIVE_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
]
