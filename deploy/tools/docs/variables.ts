import type { Variables } from '#core/config.ts'

interface VariableDocumentation {
  unit?: 'bytes' | 'days'
  example: string
  meaning: string
}

/** What the environment's schema does not say about its variables. A missing variable is a type error. */
export const variables: Record<keyof typeof Variables.shape, VariableDocumentation> = {
  ROLES: {
    example: 'proxy',
    meaning: 'Roles of this process.',
  },
  HOST: { example: '0.0.0.0', meaning: 'Where it listens.' },
  PORT: { example: '3000', meaning: 'Where it listens.' },
  PROXY_PROCESSES: {
    example: '4',
    meaning:
      'Proxies on this port, each a process with its own memory, connections and spool; unset: one a core, less one, where ROLES is `proxy`, else 1.',
  },
  DRAIN_SECONDS: {
    example: '120',
    meaning:
      'How long responses that are under way may take when a process stops; what is left then is cut and counted.',
  },
  DRAIN_DELAY_SECONDS: {
    example: '5',
    meaning: 'How long a process that stops goes on taking requests, so that a balancer can notice.',
  },
  API_URL: {
    example: 'http://127.0.0.1:3100',
    meaning: 'Where a proxy hands on what is not for the provider; unset when an edge routes by path.',
  },
  PUBLIC_URL: {
    example: 'https://sallyport.example.com',
    meaning: 'The address that people open: for links in mails, and for `Secure` cookies with HTTPS.',
  },
  ALLOWED_HOSTS: {
    example: 'gateway.lan,192.0.2.7',
    meaning:
      "Names by which people reach the screens, besides PUBLIC_URL's, those of loopback and a HOST that is one address; any other gets 421. Requests with a secure token may use any name.",
  },
  CORS_ORIGINS: {
    example: 'https://app.example.com',
    meaning: 'Pages that may call the proxy from a browser, with a token of their own; empty: those of all origins.',
  },
  TRUSTED_PROXIES: {
    example: '10.0.0.0/8',
    meaning: 'Peers whose `X-Forwarded-*` headers are trusted: the edge.',
  },
  DATA_DIR: { example: '/data', meaning: 'Spools of proxies, and everything embedded.' },
  POSTGRES_URL: {
    example: 'postgres://user:password@postgres:5432/sallyport',
    meaning: 'Accounts, keys, tokens, configuration.',
  },
  POSTGRES_ADMIN_URL: {
    example: 'postgres://postgres:password@postgres:5432/postgres',
    meaning:
      'Only for migrations: a superuser that creates the role and the database of `POSTGRES_URL`, or takes rights from a role that has too many. **Secret.**',
  },
  POSTGRES_POOL: {
    example: '20',
    meaning: 'Connections of one process at most; all processes together stay below `max_connections` of Postgres.',
  },
  REDIS_STATE_URL: {
    example: 'redis://:password@redis-state:6379',
    meaning:
      'Limits, caches, key health. `?family=6`: by IPv6 only. `redis+sentinel://:password@sentinel:26379/<master>` (`rediss+sentinel://`): Redis behind Sentinel; more Sentinels as `?sentinel=host:port`. `redis+cluster://` (`rediss+cluster://`): any node of a Redis Cluster.',
  },
  REDIS_QUEUE_URL: {
    example: 'redis://:password@redis-queue:6379',
    meaning:
      'Logs on their way to ClickHouse; needs `appendfsync always` and `noeviction`. `redis+cluster://` and `redis+sentinel://` as for REDIS_STATE_URL.',
  },
  QUEUE_SHARDS: {
    example: '4',
    meaning: 'Queues that logs are spread over, shard i at URL i modulo their number; unset: one for each URL.',
  },
  QUEUE_REPLICAS: {
    example: '1',
    meaning:
      'How many replicas of each Redis of the queue must have a batch before the spool drops it. Without it, a failover may lose or double the batches that are being written.',
  },
  CLICKHOUSE_URL: {
    example: 'http://user:password@clickhouse:8123/default',
    meaning:
      'Logs and rollups; unset: chDB under DATA_DIR, for an api and a worker in one process; the image does not have it.',
  },
  CLICKHOUSE_CLUSTER: {
    example: 'sallyport',
    meaning: "The cluster's name in ClickHouse's own configuration: then tables are replicated and distributed.",
  },
  MASTER_KEYS: {
    example: '`1:$(openssl rand -base64 32)`',
    meaning:
      'Seal provider keys and other secrets; the last one seals, all of them open; `<version>:lost` for one that is lost, so that processes start without it. **Secret.**',
  },
  SESSION_SECRET: {
    example: '`$(openssl rand -base64 32)`',
    meaning: 'Signs session cookies. **Secret.**',
  },
  PROVIDER_BASE_URL: { example: 'https://api.openai.com', meaning: 'Base URL of new accounts.' },
  UPSTREAM_ALLOW_CIDRS: {
    example: '10.20.0.0/16',
    meaning: 'Private networks that a base URL or a webhook may lead to.',
  },
  UPSTREAM_PROXY_URL: {
    example: 'http://egress:3128',
    meaning: 'Egress proxy for all requests to providers and webhooks.',
  },
  UPSTREAM_NO_PROXY: {
    example: 'models.lan,10.20.0.7',
    meaning:
      'Hosts that are reached without the egress proxy, with their subdomains, at addresses that are allowed without one.',
  },
  DNS_SERVERS: {
    example: '10.0.0.2,10.0.0.3:5353',
    meaning: "Name servers for the names of providers and webhooks; unset: the system's.",
  },
  MAX_BODY_BYTES: { unit: 'bytes', example: '26214400', meaning: 'Larger request bodies are rejected.' },
  SPOOL_MAX_BYTES: {
    unit: 'bytes',
    example: '17179869184',
    meaning: "Size of a proxy's spool; at 95 % of it new requests get 503.",
  },
  LOG_RETENTION_DAYS: { unit: 'days', example: '30', meaning: 'How long logs are kept.' },
  LOG_ARCHIVE_URL: {
    example: 'https://key:secret@logs.s3.eu-central-1.amazonaws.com/sallyport',
    meaning:
      'Where ClickHouse writes each day of logs as a Parquet file on the day before it expires: an S3 bucket, or a folder such as `file:///var/lib/clickhouse/user_files`; unset: nowhere. With `LOG_RETENTION_DAYS` below 3, logs that arrive late may be missing. **Secret.**',
  },
  BODY_RETENTION_DAYS: {
    unit: 'days',
    example: '7',
    meaning: 'How long headers and stored bodies are kept; unset: as long as logs.',
  },
  ROLLUP_RETENTION_DAYS: {
    unit: 'days',
    example: '800',
    meaning: 'How long the rollups behind the charts are kept; never shorter than logs.',
  },
  PLAN_LIMITS: {
    example: '`{"free":{"requestsPerDay":1000}}`',
    meaning: 'Limits that differ from the table of plans; `null` is unlimited.',
  },
  MODEL_PRICES_FILE: {
    example: '/etc/sallyport/prices.json',
    meaning:
      'Prices of models for all accounts, in USD per million tokens: `[{"pattern":"mistral-*","input":0.4,"cachedInput":null,"output":2,"perRequest":null}]`. The members `cacheWrite`, `audioInput` and `longPrompts` (`{"aboveTokens":200000,"input":2.5,"output":15}`) are optional. They win over the built-in ones of OpenAI, and the prices of an account over both. A container needs the file mounted.',
  },
  ACCOUNT_LIMITS: {
    example: '`{"requests":200,"tails":5}`',
    meaning: 'The most that one account may use of what all accounts share in a process; the members are listed below.',
  },
  PROCESS_LIMITS: {
    example: '`{"requests":20000}`',
    meaning: 'The same for all accounts of a process together; `PROXY_PROCESSES` share it.',
  },
  REGISTRATION: {
    example: 'invite',
    meaning: 'Who may create an account; `npm run accounts -- invite` makes codes.',
  },
  PAYPAL_CLIENT_ID: { example: 'AZ…', meaning: 'Payments; unset: they are not set up, and screens say so.' },
  PAYPAL_CLIENT_SECRET: { example: 'EL…', meaning: 'Set together with the id. **Secret.**' },
  PAYPAL_API_URL: { example: 'https://api-m.sandbox.paypal.com', meaning: "PayPal's API, or its sandbox." },
  PAYPAL_WEBHOOK_ID: { example: '8PT…', meaning: 'Without it, no webhook is trusted.' },
  SALES_EMAIL: {
    example: 'sales@example.com',
    meaning: 'Where `Contact Sales` writes to; without one, it says to ask the operator.',
  },
  CONTACT_EMAIL: { example: 'sales@example.com', meaning: 'The former name of `SALES_EMAIL`.' },
  SMTP_URL: {
    example: 'smtps://user:password@mail.example.com',
    meaning: 'For the api, too, which offers links by mail. Needs PUBLIC_URL; unset: no mails.',
  },
  MAIL_FROM: { example: 'Sallyport <no-reply@example.com>', meaning: 'Sender of mails.' },
  METRICS_PORT: {
    example: '9464',
    meaning: '`/metrics` for Prometheus, on a port of its own without a sign-in; unset: not served.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    example: 'http://otel-collector:4318',
    meaning: 'OpenTelemetry collector, OTLP over HTTP; unset: no traces.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: { example: 'x-api-key=…', meaning: 'Sent to the collector, such as its key.' },
  OTEL_SERVICE_NAME: { example: 'llm-gateway', meaning: 'Name in traces; unset: `sallyport-` and the role.' },
  OTEL_RESOURCE_ATTRIBUTES: {
    example: 'deployment.environment.name=staging',
    meaning: 'Attributes of every trace.',
  },
  OTEL_TRACES_SAMPLER: {
    example: 'parentbased_traceidratio',
    meaning: 'Which traces are kept; those that begin with `parentbased_` follow a client that has decided.',
  },
  OTEL_TRACES_SAMPLER_ARG: { example: '0.05', meaning: 'The part that the samplers with `ratio` in their name keep.' },
  LOG_LEVEL: { example: 'debug', meaning: "The processes' own log, JSON lines on standard output." },
}
