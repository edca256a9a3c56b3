import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  createClient,
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  type ClickHouseSettings,
} from '@clickhouse/client'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { createTransport, type Transporter } from 'nodemailer'
import postgres from 'postgres'
import type { Config } from './config.ts'
import type { QueueRedis, QueueShard, QueueShards } from './redis/queue-shards.ts'
import { leastBusyPool } from './least-busy-pool.ts'
import { minute, second } from './units.ts'

export type Sql = postgres.Sql
export type Transaction = postgres.TransactionSql
export type { ClickHouseClient, Redis }

/** How long Postgres and ClickHouse may take to answer, ms; and while whole tables are changed or copied. */
export const storePatienceMs = { service: 30 * second, maintenance: 30 * minute }

/** Postgres. A look-up that can't connect fails after 5 s, and a statement after the patience. */
export function openPostgres(
  { postgresUrl }: Pick<Config, 'postgresUrl'>,
  name: string,
  patienceMs = storePatienceMs.service,
): Sql {
  return postgres(postgresUrl, {
    max: 10,
    connect_timeout: 5,
    idle_timeout: 60,
    onnotice: () => {},
    connection: { application_name: `sallyport-${name}`, statement_timeout: patienceMs },
  })
}

/** How long a proxied request waits for the state Redis, ms; and a call of a person. */
export const statePatienceMs = { request: 50, person: 1_000 }

/**
 * The Redis of limits, caches and invalidation. It fails fast: a frozen server must never hold a request,
 * so there is no offline queue and a command gives up.
 * @param patienceMs how long a command may take
 */
export function openStateRedis({ redisStateUrl }: Pick<Config, 'redisStateUrl'>, patienceMs: number): Redis {
  return openRedis(redisStateUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: patienceMs,
    connectTimeout: 1_000,
    retryStrategy: statePauseMs,
  })
}

/** A connection that only listens to messages: it waits for the server, and for messages, as long as it takes. */
export function openStateSubscriber({ redisStateUrl }: Pick<Config, 'redisStateUrl'>): Redis {
  return openRedis(redisStateUrl, { maxRetriesPerRequest: null, connectTimeout: 1_000, retryStrategy: statePauseMs })
}

const statePauseMs = (times: number) => Math.min(times * 100, 1_000)

/** The BullMQ Redis as a producer sees it: an `add` fails within 5 s, and the spool keeps the batch. */
export function openQueueProducer({ redisQueueUrl }: { redisQueueUrl: string }): QueueRedis {
  return openQueueRedis(redisQueueUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
    connectTimeout: 1_000,
  })
}

/** The BullMQ Redis as a worker sees it: it waits for work, and for the server, as long as it takes. */
export function openQueueConsumer({ redisQueueUrl }: { redisQueueUrl: string }): QueueRedis {
  return openQueueRedis(redisQueueUrl, { maxRetriesPerRequest: null })
}

/** @param url as `openRedis` takes it; with `+cluster` any node of a Redis Cluster, which names the others */
function openQueueRedis(url: string, options: RedisOptions): QueueRedis {
  if (!isCluster(url)) return openRedis(url, { ...options, retryStrategy: queuePauseMs })
  const { protocol, hostname, port, username, password } = new URL(url)
  const { maxRetriesPerRequest, enableOfflineQueue = true, ...perNode } = options
  return new Cluster([{ host: hostname, port: Number(port || 6379) }], {
    enableOfflineQueue,
    // When this check fails once, ioredis connects anew but the first `connect` never settles: BullMQ's worker, which
    // waits for that, would take no batch of its shard any more. Nodes that are not ready answer with an error anyway.
    enableReadyCheck: false,
    clusterRetryStrategy: queuePauseMs,
    redisOptions: {
      ...perNode,
      maxRetriesPerRequest,
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password) || undefined,
      tls: protocol.startsWith('rediss') ? {} : undefined,
    },
  })
}

const queuePauseMs = (times: number) => Math.min(times * 200, 2_000)

const isCluster = (url: string) => new URL(url).protocol.endsWith('+cluster:')

/**
 * A server that has become a replica is left at once: behind the same address, or by the word of Sentinel, there is
 * another master by then.
 * @param url `redis://` or `rediss://`; with `+sentinel` a Sentinel, the name of the master as path, other Sentinels
 * and the password of all of them as `?sentinel=host:port&sentinelPassword=…`
 */
function openRedis(url: string, options: RedisOptions): Redis {
  const connection = { ...options, reconnectOnError: isReadOnly }
  if (!new URL(url).protocol.endsWith('+sentinel:')) return new Redis(url, connection)
  return new Redis({ ...connection, ...sentinelOptions(url), sentinelRetryStrategy: queuePauseMs })
}

const isReadOnly = ({ message }: Error) => message.includes('READONLY')

function sentinelOptions(url: string): RedisOptions {
  const { protocol, host, username, password, pathname, searchParams } = new URL(url)
  const [, name = '', database = '0'] = pathname.split('/')
  const tls = protocol.startsWith('rediss') ? {} : undefined
  return {
    sentinels: [host, ...searchParams.getAll('sentinel')].map((address) => {
      const { hostname, port } = new URL(`redis://${address}`)
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 26_379) }
    }),
    name: decodeURIComponent(name),
    db: Number(database),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    sentinelPassword: searchParams.get('sentinelPassword') ?? undefined,
    tls,
    sentinelTLS: tls,
    enableTLSForSentinelMode: tls !== undefined,
    failoverDetector: true,
    sentinelCommandTimeout: 2 * second,
  }
}

/** All shards of the queue, with one connection a URL: shard `i` lies at URL `i` modulo their number. */
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

/** The mail server. A mail that it does not take within seconds is tried again later by its queue. */
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

/** ClickHouse by URL, or chDB on disk when there is none: the same client and the same SQL for both. */
export async function openClickHouse(
  { clickhouseUrl, dataDir }: Pick<Config, 'clickhouseUrl' | 'dataDir'>,
  patienceMs = storePatienceMs.service,
): Promise<ClickHouseClient> {
  const settings: ClickHouseSettings = { date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 }
  if (clickhouseUrl) {
    // What takes minutes says so meanwhile, else a balancer would give it up; more lines would be too large a header.
    const progress = {
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: String(50 * second),
    } as const
    const clickhouseSettings = patienceMs > minute ? { ...settings, ...progress } : settings
    return createClient({ url: clickhouseUrl, request_timeout: patienceMs, clickhouse_settings: clickhouseSettings })
  }
  const path = join(dataDir, 'clickhouse')
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o700)
  const { createChdbConnection } = await import('chdb/connection')
  const sessions = Array.from({ length: chdbSessions }, () => createChdbConnection({ path }))
  // The same shape at run time; only the nominal type of one settings class differs between the two packages.
  const connection = leastBusyPool(sessions, patienceMs) as unknown as ClickHouseClientConfigOptions['connection']
  return createClient({ connection, clickhouse_settings: settings })
}

/** A chDB session runs one query at a time: with several a chart does not wait for an insert. */
const chdbSessions = 4
