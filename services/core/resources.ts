import { chmodSync, mkdirSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import {
  createClient,
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  type ClickHouseSettings,
} from '@clickhouse/client'
import { Cluster, Redis as SingleRedis, type RedisOptions } from 'ioredis'
import { createTransport, type Transporter } from 'nodemailer'
import postgres from 'postgres'
import type { Config } from './config.ts'
import type { QueueShard, QueueShards } from './redis/queue-shards.ts'
import type { Redis } from './redis/redis.ts'
import { leastBusyPool } from './least-busy-pool.ts'
import { minute, second } from './units.ts'

export type Sql = postgres.Sql
export type Transaction = postgres.TransactionSql
export type { ClickHouseClient, Redis }

/** Timeouts of Postgres and ClickHouse, ms; `maintenance` is for changes and copies of whole tables. */
export const storePatienceMs = { service: 30 * second, maintenance: 30 * minute }

export function openPostgres(
  { postgresUrl, postgresPool = 10 }: Pick<Config, 'postgresUrl'> & Partial<Pick<Config, 'postgresPool'>>,
  name: string,
  patienceMs = storePatienceMs.service,
): Sql {
  return postgres(postgresUrl, {
    ...certificateAddress(postgresUrl),
    max: postgresPool,
    connect_timeout: 5,
    idle_timeout: 60,
    onnotice: () => {},
    connection: { application_name: `sallyport-${name}`, statement_timeout: patienceMs },
  })
}

/** postgres.js checks the certificate of `verify-full` for a name only, and would look for `localhost` in place of an address. */
function certificateAddress(postgresUrl: string): { ssl?: { host: string } } {
  const { hostname, searchParams } = new URL(postgresUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return searchParams.get('sslmode') === 'verify-full' && isIP(host) !== 0 ? { ssl: { host } } : {}
}

/** Timeouts of the state Redis for proxied requests and for API calls, ms. */
export const statePatienceMs = { request: 50, user: 1_000 }

/** The Redis of limits, caches and invalidation. Fails fast, because a server that hangs must not delay requests. */
export function openStateRedis({ redisStateUrl }: Pick<Config, 'redisStateUrl'>, patienceMs: number): Redis {
  const options = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: patienceMs,
    connectTimeout: second,
  }
  return openRedis(redisStateUrl, options, statePauseMs)
}

/**
 * A connection for messages only, which waits for the server without a timeout. Each node of a Redis Cluster gets all
 * messages; a connection to one of them tells when it was interrupted, which a client of the cluster does not.
 */
export function openStateSubscriber({ redisStateUrl }: Pick<Config, 'redisStateUrl'>): Redis {
  return openRedis(
    redisStateUrl.replace('+cluster:', ':'),
    { maxRetriesPerRequest: null, connectTimeout: second },
    statePauseMs,
  )
}

const statePauseMs = (times: number) => Math.min(times * 100, 1_000)

/** The BullMQ Redis for producers: an `add` fails within 5 s, and the spool keeps the batch. */
export function openQueueProducer({ redisQueueUrl }: { redisQueueUrl: string }): Redis {
  const options = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5 * second,
    connectTimeout: second,
  }
  return openRedis(redisQueueUrl, options, queuePauseMs)
}

/** The BullMQ Redis for workers, which wait for the server without a timeout. */
export function openQueueConsumer({ redisQueueUrl }: { redisQueueUrl: string }): Redis {
  return openRedis(redisQueueUrl, { maxRetriesPerRequest: null }, queuePauseMs)
}

const queuePauseMs = (times: number) => Math.min(times * 200, 2_000)

const isCluster = (url: string) => new URL(url).protocol.endsWith('+cluster:')

/**
 * Reconnects when the server has become a replica, because there is another master then.
 * @param url `redis://` or `rediss://`; with `+cluster` any node of a Redis Cluster; with `+sentinel` a Sentinel, with the
 * master's name as path, and further Sentinels and their password as `?sentinel=host:port&sentinelPassword=…`
 * @param pauseMs before the next try to connect
 */
function openRedis(url: string, options: RedisOptions, pauseMs: (times: number) => number): Redis {
  if (isCluster(url)) return openCluster(url, options, pauseMs)
  const connection = { ...options, retryStrategy: pauseMs, reconnectOnError: isReadOnly }
  if (!new URL(url).protocol.endsWith('+sentinel:')) return new SingleRedis(url, connection)
  return new SingleRedis({ ...connection, ...sentinelOptions(url), sentinelRetryStrategy: queuePauseMs })
}

function openCluster(url: string, options: RedisOptions, pauseMs: (times: number) => number): Cluster {
  const { hostname, port } = new URL(url)
  const { enableOfflineQueue = true, ...perNode } = options
  return new Cluster([{ host: hostname, port: Number(port || 6379) }], {
    enableOfflineQueue,
    // After a failed check ioredis reconnects, but the first `connect` never resolves, and BullMQ's worker would wait for
    // it forever. Nodes that are not ready respond with an error anyway.
    enableReadyCheck: false,
    clusterRetryStrategy: pauseMs,
    redisOptions: { ...perNode, ...accessOptions(url) },
  })
}

const isReadOnly = ({ message }: Error) => message.includes('READONLY')

function sentinelOptions(url: string): RedisOptions {
  const { host, pathname, searchParams } = new URL(url)
  const [, name = '', database = '0'] = pathname.split('/')
  const access = accessOptions(url)
  return {
    ...access,
    sentinels: [host, ...searchParams.getAll('sentinel')].map((address) => {
      const { hostname, port } = new URL(`redis://${address}`)
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 26_379) }
    }),
    name: decodeURIComponent(name),
    db: Number(database),
    sentinelPassword: searchParams.get('sentinelPassword') ?? undefined,
    sentinelTLS: access.tls,
    enableTLSForSentinelMode: access.tls !== undefined,
    failoverDetector: true,
    sentinelCommandTimeout: 2 * second,
  }
}

function accessOptions(url: string) {
  const { protocol, username, password } = new URL(url)
  return {
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    tls: protocol.startsWith('rediss') ? {} : undefined,
  }
}

/** All shards of the queue, with one connection per URL: shard `i` uses URL `i` modulo their number. */
export function openQueueShards(
  { redisQueueUrls, queueShards, queueReplicas }: Pick<Config, 'redisQueueUrls' | 'queueShards' | 'queueReplicas'>,
  open: typeof openQueueProducer,
): QueueShards {
  const servers = redisQueueUrls.map((url) => ({ redis: open({ redisQueueUrl: url }), isCluster: isCluster(url) }))
  const shardAt = (index: number): QueueShard => {
    const server = servers[index % servers.length]
    if (!server) throw new Error('the queue has no server')
    const tag = index > 0 || server.isCluster ? `{logs-${index}}:` : ''
    return { redis: server.redis, tag, replicas: queueReplicas }
  }
  return [shardAt(0), ...Array.from({ length: queueShards - 1 }, (_, index) => shardAt(index + 1))]
}

export type Mailbox = Transporter

/** The mail server. Timeouts are short, because the outbox retries. */
export function openMailbox(smtpUrl: string): Mailbox {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** ClickHouse at its URL, or else chDB on disk, with the same client and the same SQL. */
export async function openClickHouse(
  { clickhouseUrl, dataDir }: Pick<Config, 'clickhouseUrl' | 'dataDir'>,
  patienceMs = storePatienceMs.service,
): Promise<ClickHouseClient> {
  const settings: ClickHouseSettings = { date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 }
  if (clickhouseUrl) {
    // Progress headers keep balancers from closing long queries; shorter intervals would make the headers too large.
    const progress = {
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: String(50 * second),
    } as const
    const clickhouseSettings = patienceMs > minute ? { ...settings, ...progress } : settings
    return createClient({
      url: clickhouseUrl,
      request_timeout: patienceMs,
      clickhouse_settings: clickhouseSettings,
      log,
    })
  }
  const path = join(dataDir, 'clickhouse')
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o700)
  const { createChdbConnection } = await import('chdb/connection')
  const sessions = Array.from({ length: chdbSessions }, () => createChdbConnection({ path }))
  // The same at run time; only a nominal type of a settings class differs between the two packages.
  const connection = leastBusyPool(sessions, patienceMs) as unknown as ClickHouseClientConfigOptions['connection']
  return createClient({ connection, clickhouse_settings: settings, log })
}

/** Callers log failures as JSON; the client's own lines are plain text. */
const log = { level: ClickHouseLogLevel.OFF }

/** A chDB session runs one query at a time; with several, a chart does not wait for an insert. */
const chdbSessions = 4
