import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { OperatorModelPrice } from '#schemas/own-model-prices.ts'
import { RegistrationMode } from '#schemas/registration.ts'
import { PlanLimitOverrides } from '#schemas/plans.ts'
import { provider } from '#schemas/product.ts'
import { readSecretFiles } from './config/secret-files.ts'
import { describeIssues } from './config/describe-issues.ts'
import { describeUnknownNames } from './config/unknown-names.ts'
import * as value from './config/values.ts'
import { messageOf } from './errors.ts'
import { maxShards } from './redis/queue-shards.ts'
import { LimitOverrides, resourceLimits } from './limits/resource-limits.ts'
import { gib, mib, second } from './units.ts'

const roles = ['proxy', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

const TraceSampler = value.oneOf([
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
])
export type TraceSampler = z.output<typeof TraceSampler>

const retentionDays = () => value.whole(1, 3_650)

/** Every variable that the services read; sizes in bytes. Documented in deploy/README.md, "Configure". */
export const Variables = z.object({
  ROLES: value.roles(roles).default([...roles]),
  HOST: value.host().default('127.0.0.1'),
  PORT: value.whole(1, 65_535).default(3000),
  /** Processes that share the port when the only role is the proxy; unset: one per core, less one. */
  PROXY_PROCESSES: value.whole(1, 256).optional(),
  /** On shutdown: how long requests in flight may take, and how long new ones are still accepted. */
  DRAIN_SECONDS: value.whole(0, 3_600).default(60),
  DRAIN_DELAY_SECONDS: value.whole(0, 600).default(0),
  /** Receives requests that are not for the provider; unset when an ingress routes by path. */
  API_URL: value.baseUrl().optional(),
  /** The address in the browser; determines cookie names and links in mails. */
  PUBLIC_URL: value.origin().optional(),
  /** Host names of the screens besides that of PUBLIC_URL. */
  ALLOWED_HOSTS: value.hostNames().default([]),
  /** Origins of pages that may call the proxy from a browser; empty: all. */
  CORS_ORIGINS: value.origins().default([]),
  /** Peers whose `X-Forwarded-*` headers are trusted. */
  TRUSTED_PROXIES: value.trustedProxies().default([]),
  DATA_DIR: value.folder().default('.data'),
  POSTGRES_URL: value.postgres(),
  /** Only for migrations, which then create the role and the database of POSTGRES_URL. */
  POSTGRES_ADMIN_URL: value.postgres().optional(),
  /** Connections per process. */
  POSTGRES_POOL: value.whole(1, 500).default(10),
  /** `redis+sentinel://`: the address of a Sentinel, which names the master. */
  REDIS_STATE_URL: value.stateRedis(),
  /** The queue's shards are spread over these URLs. `redis+cluster://`: a Redis Cluster. */
  REDIS_QUEUE_URL: value.queueRedis(),
  /** Queues that log batches are spread over; unset: one per URL. */
  QUEUE_SHARDS: value.whole(1, maxShards).optional(),
  /** Replicas of each queue Redis that must have a batch before the spool deletes it. */
  QUEUE_REPLICAS: value.whole(0, 5).default(0),
  /** Unset: chDB on disk under DATA_DIR. */
  CLICKHOUSE_URL: value.clickhouse().optional(),
  MASTER_KEYS: value.masterKeys(),
  SESSION_SECRET: value.text('text of 32 characters at least', /^\S.{30,}\S$/s),
  PROVIDER_BASE_URL: value.baseUrl().default(provider.baseUrl),
  UPSTREAM_ALLOW_CIDRS: value.cidrs().default([]),
  /** Egress proxy for all requests to providers. */
  UPSTREAM_PROXY_URL: value.server('http', 'https').optional(),
  /** Hosts that are reached without it, with all of their subdomains. */
  UPSTREAM_NO_PROXY: value.hostNames().default([]),
  /** Name servers that resolve providers; empty: the system's. */
  DNS_SERVERS: value.nameServers().default([]),
  MAX_BODY_BYTES: value.whole(1_024, 4 * gib).default(100 * mib),
  SPOOL_MAX_BYTES: value.whole(mib, 1_024 * gib).default(2 * gib),
  /** Name of the cluster in ClickHouse's configuration. If set, tables are replicated and distributed. */
  CLICKHOUSE_CLUSTER: value.text('letters, digits, _ and -', /^[\w-]+$/).optional(),
  LOG_RETENTION_DAYS: retentionDays().default(90),
  /** Where each day of logs is written before it expires: `file:///folder`, or an S3 bucket by HTTP. */
  LOG_ARCHIVE_URL: value.archiveUrl().optional(),
  /** For headers and bodies; unset: as long as the logs. */
  BODY_RETENTION_DAYS: retentionDays().optional(),
  /** For charts; all-time totals are never deleted. */
  ROLLUP_RETENTION_DAYS: retentionDays().default(400),
  /** Overrides of the table in schemas/plans.ts, such as `{"free":{"requestsPerDay":1000}}`. */
  PLAN_LIMITS: value.json(PlanLimitOverrides).default({}),
  /** A JSON file with the operator's model prices for all accounts: a list of `OperatorModelPrice`. */
  MODEL_PRICES_FILE: value.jsonFile(z.array(OperatorModelPrice)).default([]),
  /** How much of a shared resource one account and one process may use, such as `{"requests":500}`. */
  ACCOUNT_LIMITS: value.json(LimitOverrides).default({}),
  PROCESS_LIMITS: value.json(LimitOverrides).default({}),
  REGISTRATION: value.oneOf(RegistrationMode.options).default('open'),
  /** Unset: no payments. */
  PAYPAL_CLIENT_ID: value.text().optional(),
  PAYPAL_CLIENT_SECRET: value.text().optional(),
  PAYPAL_API_URL: value.baseUrl().default('https://api-m.paypal.com'),
  /** Unset: every webhook is rejected. */
  PAYPAL_WEBHOOK_ID: value.text().optional(),
  /** Recipient of `Contact Sales`. */
  SALES_EMAIL: value.email().optional(),
  CONTACT_EMAIL: value.email().optional(),
  /** Unset: no mails. */
  SMTP_URL: value.server('smtp', 'smtps').optional(),
  MAIL_FROM: value
    .text('mail address, with a name or without', /^(?:[^<>@\p{Cc}]+ <[^\s<>@]+@[\w.-]+>|[^\s<>@]+@[\w.-]+)$/u)
    .default('Sallyport <no-reply@localhost>'),
  /** Serves `/metrics` without a sign-in; unset: not served. */
  METRICS_PORT: value.whole(1, 65_535).optional(),
  /** OpenTelemetry collector, OTLP over HTTP; unset: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: value.baseUrl().optional(),
  /** Such as the collector's API key. */
  OTEL_EXPORTER_OTLP_HEADERS: value.headers().default({}),
  OTEL_SERVICE_NAME: value.text().optional(),
  OTEL_RESOURCE_ATTRIBUTES: value.pairs().default({}),
  OTEL_TRACES_SAMPLER: TraceSampler.default('parentbased_always_on'),
  /** Fraction of the traces to keep, if the sampler's name ends with `ratio`. */
  OTEL_TRACES_SAMPLER_ARG: value.ratio().default(1),
  LOG_LEVEL: value.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

/** Contradictions between values that are valid on their own. */
function* contradictions(env: z.output<typeof Variables>): Generator<string> {
  if (!env.PAYPAL_CLIENT_ID !== !env.PAYPAL_CLIENT_SECRET) {
    yield 'PAYPAL_CLIENT_SECRET: PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET are set together or not at all'
  }
  if (env.PAYPAL_WEBHOOK_ID && !env.PAYPAL_CLIENT_ID) {
    yield 'PAYPAL_CLIENT_ID: needed where PAYPAL_WEBHOOK_ID is set'
  }
  if (env.SMTP_URL && !env.PUBLIC_URL) yield 'PUBLIC_URL: needed where SMTP_URL is set: mails carry links'
  if (!env.CLICKHOUSE_URL && env.ROLES.includes('api') !== env.ROLES.includes('worker')) {
    yield 'CLICKHOUSE_URL: needed where api and worker are not one process: only one can open the embedded ClickHouse'
  }
  if ((env.QUEUE_SHARDS ?? maxShards) < env.REDIS_QUEUE_URL.length) {
    yield 'QUEUE_SHARDS: each URL in REDIS_QUEUE_URL needs a shard'
  }
  if (env.METRICS_PORT === env.PORT) yield `METRICS_PORT: got "${env.METRICS_PORT}", which is PORT; expected another`
  if ((env.BODY_RETENTION_DAYS ?? 0) > env.LOG_RETENTION_DAYS) {
    yield 'BODY_RETENTION_DAYS: bodies are not kept longer than the logs that they belong to (LOG_RETENTION_DAYS)'
  }
  if ((env.PROXY_PROCESSES ?? 1) > 1 && env.ROLES.some((role) => role !== 'proxy')) {
    yield 'PROXY_PROCESSES: several processes need ROLES=proxy, because the other roles run once'
  }
}

const toConfig = (env: z.output<typeof Variables>) => ({
  roles: env.ROLES,
  proxyProcesses:
    env.PROXY_PROCESSES ?? (env.ROLES.every((role) => role === 'proxy') ? Math.max(1, availableParallelism() - 1) : 1),
  drainMs: env.DRAIN_SECONDS * second,
  drainDelayMs: env.DRAIN_DELAY_SECONDS * second,
  host: env.HOST,
  port: env.PORT,
  apiUrl: env.API_URL,
  publicUrl: env.PUBLIC_URL,
  /** True if browsers use HTTPS. */
  secure: env.PUBLIC_URL?.startsWith('https://') ?? false,
  allowedHosts: env.ALLOWED_HOSTS,
  corsOrigins: env.CORS_ORIGINS,
  trustedProxies: env.TRUSTED_PROXIES,
  dataDir: env.DATA_DIR,
  postgresUrl: env.POSTGRES_URL,
  postgresAdminUrl: env.POSTGRES_ADMIN_URL,
  postgresPool: env.POSTGRES_POOL,
  redisStateUrl: env.REDIS_STATE_URL,
  redisQueueUrls: env.REDIS_QUEUE_URL,
  queueShards: env.QUEUE_SHARDS ?? env.REDIS_QUEUE_URL.length,
  queueReplicas: env.QUEUE_REPLICAS,
  clickhouseUrl: env.CLICKHOUSE_URL,
  masterKeys: env.MASTER_KEYS.keys,
  lostMasterKeys: env.MASTER_KEYS.lost,
  sessionSecret: env.SESSION_SECRET,
  providerBaseUrl: env.PROVIDER_BASE_URL,
  upstreamAllowCidrs: env.UPSTREAM_ALLOW_CIDRS,
  upstreamProxyUrl: env.UPSTREAM_PROXY_URL,
  upstreamNoProxy: env.UPSTREAM_NO_PROXY,
  dnsServers: env.DNS_SERVERS,
  maxBodyBytes: env.MAX_BODY_BYTES,
  spoolMaxBytes: env.SPOOL_MAX_BYTES,
  clickhouseCluster: env.CLICKHOUSE_CLUSTER,
  logRetentionDays: env.LOG_RETENTION_DAYS,
  logArchiveUrl: env.LOG_ARCHIVE_URL,
  bodyRetentionDays: env.BODY_RETENTION_DAYS ?? env.LOG_RETENTION_DAYS,
  /** Longer than the logs, because their list is counted from rollups. */
  rollupRetentionDays: Math.max(env.ROLLUP_RETENTION_DAYS, env.LOG_RETENTION_DAYS + 1),
  planLimits: env.PLAN_LIMITS,
  modelPrices: env.MODEL_PRICES_FILE,
  resourceLimits: resourceLimits(env.ACCOUNT_LIMITS, env.PROCESS_LIMITS),
  paypal:
    env.PAYPAL_CLIENT_ID && env.PAYPAL_CLIENT_SECRET
      ? {
          clientId: env.PAYPAL_CLIENT_ID,
          clientSecret: env.PAYPAL_CLIENT_SECRET,
          apiUrl: env.PAYPAL_API_URL,
          webhookId: env.PAYPAL_WEBHOOK_ID,
        }
      : undefined,
  registration: env.REGISTRATION,
  contactEmail: env.SALES_EMAIL ?? env.CONTACT_EMAIL,
  mail:
    env.SMTP_URL && env.PUBLIC_URL
      ? { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM, siteUrl: env.PUBLIC_URL }
      : undefined,
  metricsPort: env.METRICS_PORT,
  traces: env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? {
        endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: env.OTEL_EXPORTER_OTLP_HEADERS,
        serviceName: env.OTEL_SERVICE_NAME,
        resourceAttributes: env.OTEL_RESOURCE_ATTRIBUTES,
        sampler: env.OTEL_TRACES_SAMPLER,
        samplerRatio: env.OTEL_TRACES_SAMPLER_ARG,
      }
    : undefined,
  logLevel: env.LOG_LEVEL,
})
export type Config = ReturnType<typeof toConfig>
export type TracesConfig = NonNullable<Config['traces']>

const operatorsRemoved =
  'is not read any more. Remove it and run "npm run accounts -- operator NAME" for each account that runs this server.'

/**
 * Reads the configuration. An empty variable counts as unset.
 * @throws Error with a line for each missing or invalid variable; secrets are not repeated
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { values, problems } = readSecretFiles(env)
  if ('OPERATORS' in values) problems.push(`OPERATORS: ${operatorsRemoved}`)
  const { success, data, error } = Variables.safeParse(values)
  problems.push(...(success ? contradictions(data) : describeIssues(error.issues, Variables.shape, values)))
  if (success && problems.length === 0) return toConfig(data)
  throw new Error(`The environment is not complete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** For the start of a process: prints problems and likely misspellings without a stack, and ends the process. */
export function readConfigOrExit(): Config {
  try {
    return readConfig()
  } catch (error) {
    console.error([messageOf(error), ...configWarnings().map((warning) => `  ${warning}`)].join('\n'))
    process.exit(1)
  }
}

/** Warns about variables that were probably meant for Sallyport but are not read. */
export const configWarnings = (env: NodeJS.ProcessEnv = process.env) =>
  describeUnknownNames(env, Object.keys(Variables.shape))
