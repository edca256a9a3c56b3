import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { OperatorModelPrice } from '#schemas/own-model-prices.ts'
import { RegistrationMode } from '#schemas/registration.ts'
import { PlanLimitOverrides } from '#schemas/plans.ts'
import { provider } from '#schemas/product.ts'
import { maxShards } from './redis/queue-shards.ts'
import { LimitOverrides, resourceLimits } from './limits/resource-limits.ts'
import { second } from './units.ts'

export const Role = z.enum(['proxy', 'api', 'worker'])
export type Role = z.infer<typeof Role>

const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const listOf = (item: z.ZodType<string, string>) => z.string().default('').transform(list).pipe(z.array(item))

const port = z.coerce.number().int().min(1).max(65_535)

/** `1:<base64>,2:<base64>`: 32 bytes each; the last one encrypts, all decrypt. */
const MasterKeys = z.string().transform((text, context) => {
  const keys = new Map<number, Buffer>()
  for (const part of list(text)) {
    const [version, encoded] = part.split(':')
    const secret = Buffer.from(encoded ?? '', 'base64')
    const isNew = /^[1-9]\d{0,2}$/.test(version ?? '') && Number(version) < 256 && !keys.has(Number(version))
    if (!isNew || secret.length !== 32) {
      context.addIssue('expected <version>:<32 bytes in base64>, comma separated, each version once, up to 255')
      return z.NEVER
    }
    keys.set(Number(version), secret)
  }
  if (keys.size === 0) context.addIssue('at least one key is needed')
  return keys
})

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`. */
function isNameServer(text: string): boolean {
  const [, address, numberText] = /^\[(.+)\](?::(\d+))?$/.exec(text) ?? /^([\d.]+):(\d+)$/.exec(text) ?? []
  return isIP(address ?? text) !== 0 && port.safeParse(numberText ?? 53).success
}

const Json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue('expected JSON')
    return z.NEVER
  }
})

/** A JSON file, which is read once. */
const JsonFile = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    context.addIssue('the file cannot be read')
    return z.NEVER
  }
})

const limitOverrides = Json.pipe(LimitOverrides).prefault('{}')

const retentionDays = z.coerce.number().int().min(1).max(3_650)

/** Every variable that the services read; sizes in bytes. Documented in deploy/README.md, "Configure". */
export const Environment = z
  .object({
    ROLES: z.string().default('proxy,api,worker').transform(list).pipe(z.array(Role).min(1)),
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(3000),
    /** Processes that share the port when the only role is the proxy; unset: one per core, less one. */
    PROXY_PROCESSES: z.coerce.number().int().min(1).max(256).optional(),
    /** On a stop: how long requests in flight may take, and how long new ones are still accepted. */
    DRAIN_SECONDS: z.coerce.number().int().min(0).max(3_600).default(60),
    DRAIN_DELAY_SECONDS: z.coerce.number().int().min(0).max(600).default(0),
    /** Receives requests that are not for the provider; unset when an ingress routes by path. */
    API_URL: z.url().optional(),
    /** The address in the browser; decides cookie names and links in mails. */
    PUBLIC_URL: z.url().optional(),
    /** Host names of the screens besides PUBLIC_URL's. */
    ALLOWED_HOSTS: listOf(
      z.string().regex(/^(?:[\w.-]+|\[[\da-f:.]+\])$/i, 'expected host names, without scheme and port'),
    ),
    /** Origins of pages that may call the proxy from a browser; empty: all. */
    CORS_ORIGINS: listOf(
      z.string().refine((text) => URL.parse(text)?.origin === text, 'expected origins such as https://app.example.com'),
    ),
    /** Peers whose `X-Forwarded-*` headers are trusted: addresses or CIDRs. */
    TRUSTED_PROXIES: listOf(z.string()),
    DATA_DIR: z.string().default('.data'),
    POSTGRES_URL: z.url(),
    /** Only for migrations, which then create the role and the database of POSTGRES_URL. */
    POSTGRES_ADMIN_URL: z.url().optional(),
    /** `redis+sentinel://`: the address of a Sentinel, which names the master. */
    REDIS_STATE_URL: z.url({ protocol: /^rediss?(?:\+sentinel)?$/ }),
    /** The shards of the queue are spread over them. `redis+cluster://`: a Redis Cluster. */
    REDIS_QUEUE_URL: z
      .string()
      .transform(list)
      .pipe(z.array(z.url({ protocol: /^rediss?(?:\+(?:cluster|sentinel))?$/ })).min(1)),
    /** Queues that log batches are spread over; unset: one per URL. */
    QUEUE_SHARDS: z.coerce.number().int().min(1).max(maxShards).optional(),
    /** Replicas of each Redis of the queue that must have a batch before the spool deletes it. */
    QUEUE_REPLICAS: z.coerce.number().int().min(0).max(5).default(0),
    /** Unset: chDB on disk under DATA_DIR. */
    CLICKHOUSE_URL: z.url().optional(),
    MASTER_KEYS: MasterKeys,
    SESSION_SECRET: z.string().min(32),
    PROVIDER_BASE_URL: z.url().default(provider.baseUrl),
    UPSTREAM_ALLOW_CIDRS: listOf(z.union([z.cidrv4(), z.cidrv6()])),
    /** Egress proxy for all requests to providers. */
    UPSTREAM_PROXY_URL: z.url().optional(),
    /** Name servers that resolve providers; empty: the system's. */
    DNS_SERVERS: listOf(z.string().refine(isNameServer, 'expected addresses, each with a port or without')),
    MAX_BODY_BYTES: z.coerce.number().int().min(1_024).default(104_857_600),
    SPOOL_MAX_BYTES: z.coerce.number().int().min(1_048_576).default(2_147_483_648),
    /** Its name in ClickHouse's own configuration. Set: tables are replicated and distributed. */
    CLICKHOUSE_CLUSTER: z
      .string()
      .regex(/^[\w-]+$/, 'expected letters, digits, _ and -')
      .optional(),
    LOG_RETENTION_DAYS: retentionDays.default(90),
    /** For headers and bodies; unset: as long as the logs. */
    BODY_RETENTION_DAYS: retentionDays.optional(),
    /** For charts; all-time totals are never deleted. */
    ROLLUP_RETENTION_DAYS: retentionDays.default(400),
    /** Overrides of the table in schemas/plans.ts, such as `{"free":{"requestsPerDay":1000}}`. */
    PLAN_LIMITS: Json.pipe(PlanLimitOverrides).default({}),
    /** A JSON file with the operator's prices of models, for all accounts: a list of `OperatorModelPrice`. */
    MODEL_PRICES_FILE: JsonFile.pipe(Json).pipe(z.array(OperatorModelPrice)).default([]),
    /** How much of a shared resource one account and one process may use: `{"requests":500}`. */
    ACCOUNT_LIMITS: limitOverrides,
    PROCESS_LIMITS: limitOverrides,
    REGISTRATION: RegistrationMode.default('open'),
    /** Unset: no payments. */
    PAYPAL_CLIENT_ID: z.string().optional(),
    PAYPAL_CLIENT_SECRET: z.string().optional(),
    PAYPAL_API_URL: z.url().default('https://api-m.paypal.com'),
    /** Unset: every webhook is rejected. */
    PAYPAL_WEBHOOK_ID: z.string().optional(),
    /** Recipient of `Contact Sales`. */
    SALES_EMAIL: z.email().optional(),
    CONTACT_EMAIL: z.email().optional(),
    /** Unset: no mails. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    MAIL_FROM: z
      .string()
      .regex(/@[\w.-]+>?$/, 'expected an address')
      .default('Sallyport <no-reply@localhost>'),
    /** Serves `/metrics` without a sign-in; unset: not served. */
    METRICS_PORT: port.optional(),
    /** OpenTelemetry collector, OTLP over HTTP; unset: no traces. */
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .refine((env) => !env.PAYPAL_CLIENT_ID === !env.PAYPAL_CLIENT_SECRET, {
    path: ['PAYPAL_CLIENT_SECRET'],
    message: 'PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET are set together or not at all',
  })
  .refine((env) => !env.SMTP_URL || env.PUBLIC_URL, {
    path: ['PUBLIC_URL'],
    message: 'needed where SMTP_URL is set: mails carry links',
  })
  .refine((env) => (env.QUEUE_SHARDS ?? maxShards) >= env.REDIS_QUEUE_URL.length, {
    path: ['QUEUE_SHARDS'],
    message: 'each URL in REDIS_QUEUE_URL needs a shard',
  })
  .transform((env) => ({
    roles: env.ROLES,
    proxyProcesses:
      env.PROXY_PROCESSES ??
      (env.ROLES.every((role) => role === 'proxy') ? Math.max(1, availableParallelism() - 1) : 1),
    drainMs: env.DRAIN_SECONDS * second,
    drainDelayMs: env.DRAIN_DELAY_SECONDS * second,
    host: env.HOST,
    port: env.PORT,
    apiUrl: env.API_URL,
    publicUrl: env.PUBLIC_URL,
    /** Whether browsers use HTTPS. */
    secure: env.PUBLIC_URL?.startsWith('https://') ?? false,
    allowedHosts: env.ALLOWED_HOSTS,
    corsOrigins: env.CORS_ORIGINS,
    trustedProxies: env.TRUSTED_PROXIES,
    dataDir: env.DATA_DIR,
    postgresUrl: env.POSTGRES_URL,
    postgresAdminUrl: env.POSTGRES_ADMIN_URL,
    redisStateUrl: env.REDIS_STATE_URL,
    redisQueueUrls: env.REDIS_QUEUE_URL,
    queueShards: env.QUEUE_SHARDS ?? env.REDIS_QUEUE_URL.length,
    queueReplicas: env.QUEUE_REPLICAS,
    clickhouseUrl: env.CLICKHOUSE_URL,
    masterKeys: env.MASTER_KEYS,
    sessionSecret: env.SESSION_SECRET,
    providerBaseUrl: env.PROVIDER_BASE_URL,
    upstreamAllowCidrs: env.UPSTREAM_ALLOW_CIDRS,
    upstreamProxyUrl: env.UPSTREAM_PROXY_URL,
    dnsServers: env.DNS_SERVERS,
    maxBodyBytes: env.MAX_BODY_BYTES,
    spoolMaxBytes: env.SPOOL_MAX_BYTES,
    clickhouseCluster: env.CLICKHOUSE_CLUSTER,
    logRetentionDays: env.LOG_RETENTION_DAYS,
    bodyRetentionDays: env.BODY_RETENTION_DAYS ?? env.LOG_RETENTION_DAYS,
    /** Never shorter than the logs', whose list is counted from rollups. */
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
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL,
  }))
export type Config = z.infer<typeof Environment>

const operatorsRemoved =
  'is not read any more. Remove it and run "npm run accounts -- operator NAME" for each account that runs this server.'

/**
 * Reads the configuration. An empty variable counts as unset.
 * @throws Error with the name, but not the value, of every variable that is missing or invalid
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  if ('OPERATORS' in set) throw new Error(`The environment is not complete:\n  OPERATORS: ${operatorsRemoved}`)
  const parsed = Environment.safeParse(set)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new Error(`The environment is not complete:\n${lines.join('\n')}`)
}
