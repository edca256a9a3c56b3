import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
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

const port = z.coerce.number().int().min(1).max(65_535)

/** `1:<base64>,2:<base64>`: 32 bytes each; the last one encrypts, all of them decrypt. */
const MasterKeys = z.string().transform((text, context) => {
  const keys = new Map<number, Buffer>()
  for (const part of list(text)) {
    const [version, encoded] = part.split(':')
    const secret = Buffer.from(encoded ?? '', 'base64')
    const isNew = /^[1-9]\d{0,2}$/.test(version ?? '') && Number(version) < 256 && !keys.has(Number(version))
    if (!isNew || secret.length !== 32) {
      context.addIssue({
        code: 'custom',
        message: 'expected <version>:<32 bytes in base64>, comma separated, each version once, up to 255',
      })
      return z.NEVER
    }
    keys.set(Number(version), secret)
  }
  if (keys.size === 0) {
    context.addIssue({ code: 'custom', message: 'at least one key is needed' })
    return z.NEVER
  }
  return keys
})

const isProxyAlone = (roles: readonly Role[]) => roles.every((role) => role === 'proxy')

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`. */
function isNameServer(text: string): boolean {
  const [, address, numberText] = /^\[(.+)\](?::(\d+))?$/.exec(text) ?? /^([\d.]+):(\d+)$/.exec(text) ?? []
  return isIP(address ?? text) !== 0 && port.safeParse(numberText ?? 53).success
}

const Json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'expected JSON' })
    return z.NEVER
  }
})

const limitOverrides = Json.pipe(LimitOverrides).prefault('{}')

const retentionDays = z.coerce.number().int().min(1).max(3_650)

/** Every variable that the services read. Durations ms, sizes bytes. Documented in deploy/README.md, "Configure". */
export const Environment = z
  .object({
    ROLES: z.string().default('proxy,api,worker').transform(list).pipe(z.array(Role).min(1)),
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(3000),
    /** Processes that serve this port together, for a process that is a proxy alone; unset: one a core, less one. */
    PROXY_PROCESSES: z.coerce.number().int().min(1).max(256).optional(),
    /** How long responses that are under way may take when the process stops, and how long it goes on before. */
    DRAIN_SECONDS: z.coerce.number().int().min(0).max(3_600).default(60),
    DRAIN_DELAY_SECONDS: z.coerce.number().int().min(0).max(600).default(0),
    /** Where the proxy hands on what is not for the provider; unset when an ingress routes by path. */
    API_URL: z.url().optional(),
    /** The address that people type; decides cookie names and links in mails. */
    PUBLIC_URL: z.url().optional(),
    /** Names besides PUBLIC_URL's by which people reach the screens. */
    ALLOWED_HOSTS: z
      .string()
      .default('')
      .transform(list)
      .pipe(z.array(z.string().regex(/^(?:[\w.-]+|\[[\da-f:.]+\])$/i, 'expected host names, without scheme and port'))),
    /** Peers whose `X-Forwarded-*` headers are believed: addresses or CIDRs. */
    TRUSTED_PROXIES: z.string().default('').transform(list),
    DATA_DIR: z.string().default('.data'),
    POSTGRES_URL: z.url(),
    /** For migrations alone, which then make the role and the database of POSTGRES_URL. */
    POSTGRES_ADMIN_URL: z.url().optional(),
    /** `redis+sentinel://`: the address of a Sentinel, which names the master. */
    REDIS_STATE_URL: z.url({ protocol: /^rediss?(?:\+sentinel)?$/ }),
    /** Several: the shards of the queue are spread over them. `redis+cluster://`: a Redis Cluster. */
    REDIS_QUEUE_URL: z
      .string()
      .transform(list)
      .pipe(z.array(z.url({ protocol: /^rediss?(?:\+(?:cluster|sentinel))?$/ })).min(1)),
    /** Queues that log batches are spread over; unset: one for each URL. */
    QUEUE_SHARDS: z.coerce.number().int().min(1).max(maxShards).optional(),
    /** Replicas of each Redis of the queue that must have a batch before the spool gives it up. */
    QUEUE_REPLICAS: z.coerce.number().int().min(0).max(5).default(0),
    /** Unset: chDB on disk under DATA_DIR. */
    CLICKHOUSE_URL: z.url().optional(),
    MASTER_KEYS: MasterKeys,
    SESSION_SECRET: z.string().min(32),
    PROVIDER_BASE_URL: z.url().default(provider.baseUrl),
    UPSTREAM_ALLOW_CIDRS: z
      .string()
      .default('')
      .transform(list)
      .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()]))),
    /** Egress proxy for all requests to providers; unset: they are reached directly. */
    UPSTREAM_PROXY_URL: z.url().optional(),
    /** Name servers for the names of providers; unset: the system's. */
    DNS_SERVERS: z
      .string()
      .default('')
      .transform(list)
      .pipe(z.array(z.string().refine(isNameServer, 'expected addresses, each with a port or without'))),
    /** Larger request bodies are refused. */
    MAX_BODY_BYTES: z.coerce.number().int().min(1_024).default(104_857_600),
    SPOOL_MAX_BYTES: z.coerce.number().int().min(1_048_576).default(2_147_483_648),
    /** The cluster's name in ClickHouse's own configuration: then tables are replicated and distributed. */
    CLICKHOUSE_CLUSTER: z
      .string()
      .regex(/^[\w-]+$/, 'expected letters, digits, _ and -')
      .optional(),
    LOG_RETENTION_DAYS: retentionDays.default(90),
    /** Headers and kept bodies; unset: as long as the logs. */
    BODY_RETENTION_DAYS: retentionDays.optional(),
    /** What charts are drawn from; totals of all time stay for good. */
    ROLLUP_RETENTION_DAYS: retentionDays.default(400),
    /** Limits that differ from the table in schemas/plans.ts, such as `{"free":{"requestsPerDay":1000}}`. */
    PLAN_LIMITS: Json.pipe(PlanLimitOverrides).default({}),
    /** How much of what accounts share one of them may have, and all of a process: `{"requests":500}`. */
    ACCOUNT_LIMITS: limitOverrides,
    PROCESS_LIMITS: limitOverrides,
    /** Who may create an account; `npm run accounts -- invite` makes codes. */
    REGISTRATION: RegistrationMode.default('open'),
    /** Unset: payments are not set up, and screens say so. */
    PAYPAL_CLIENT_ID: z.string().optional(),
    PAYPAL_CLIENT_SECRET: z.string().optional(),
    PAYPAL_API_URL: z.url().default('https://api-m.paypal.com'),
    /** Without it no webhook is believed. */
    PAYPAL_WEBHOOK_ID: z.string().optional(),
    /** Where `Contact Sales` writes to. */
    CONTACT_EMAIL: z.email().optional(),
    /** Unset: no mails. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** Sender of mails, such as `Sallyport <no-reply@example.com>`. */
    MAIL_FROM: z
      .string()
      .regex(/@[\w.-]+>?$/, 'expected an address')
      .default('Sallyport <no-reply@localhost>'),
    /** `/metrics` without a sign-in, on a port of its own; unset: not served. */
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
    proxyProcesses: env.PROXY_PROCESSES ?? (isProxyAlone(env.ROLES) ? Math.max(1, availableParallelism() - 1) : 1),
    drainMs: env.DRAIN_SECONDS * second,
    drainDelayMs: env.DRAIN_DELAY_SECONDS * second,
    host: env.HOST,
    port: env.PORT,
    apiUrl: env.API_URL,
    publicUrl: env.PUBLIC_URL,
    /** Whether people reach the site by HTTPS. */
    secure: env.PUBLIC_URL?.startsWith('https://') ?? false,
    allowedHosts: env.ALLOWED_HOSTS,
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
    /** Never shorter than the logs: their list is counted in rollups. */
    rollupRetentionDays: Math.max(env.ROLLUP_RETENTION_DAYS, env.LOG_RETENTION_DAYS + 1),
    planLimits: env.PLAN_LIMITS,
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
    contactEmail: env.CONTACT_EMAIL,
    /** Undefined: no mails. */
    mail:
      env.SMTP_URL && env.PUBLIC_URL
        ? { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM, siteUrl: env.PUBLIC_URL }
        : undefined,
    metricsPort: env.METRICS_PORT,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL,
  }))
export type Config = z.infer<typeof Environment>

const operatorsGone =
  'is not read any more. Remove it and run "npm run accounts -- operator NAME" for each account that runs this server.'

/**
 * Reads the configuration once, at start. An empty variable counts as unset.
 * @throws Error that names every variable that is missing, wrong or gone, without its value.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  if ('OPERATORS' in set) throw new Error(`The environment is not complete:\n  OPERATORS: ${operatorsGone}`)
  const parsed = Environment.safeParse(set)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => `  ${issue.path[0]?.toString()}: ${issue.message}`)
  throw new Error(`The environment is not complete:\n${lines.join('\n')}`)
}
