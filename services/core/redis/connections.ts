import { Cluster, Redis as SingleRedis, type RedisOptions } from 'ioredis'
import type { Config } from '../config.ts'
import { second } from '../units.ts'
import type { QueueShard, QueueShards } from './queue-shards.ts'
import type { Redis } from './redis.ts'

/** Timeouts of the state Redis, ms: for proxied requests, for API calls, and for replies that no request waits for. */
export const statePatienceMs = { request: 50, user: 1_000, late: 10_000 }

/**
 * After this time without a response, a client connects again. Otherwise, it would keep a connection to a server that has
 * vanished until the kernel gives up, a quarter of an hour later. Longer than BullMQ lets the server wait for a job.
 */
const silenceMs = 15 * second

/** For clients that fail fast, because a server that hangs must not delay requests. */
const impatient = (patienceMs: number): RedisOptions => ({
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: patienceMs,
  connectTimeout: second,
  socketTimeout: silenceMs,
})

/** Redis for limits, caches and invalidation. */
export const openStateRedis = ({ redisStateUrl }: Pick<Config, 'redisStateUrl'>, patienceMs: number): Redis =>
  openRedis(redisStateUrl, impatient(patienceMs), statePauseMs)

/**
 * A connection for messages only, which waits for the server without a timeout. Each node of a Redis Cluster gets all
 * messages; a connection to one node reports interruptions, which a cluster client does not.
 */
export function openStateSubscriber({ redisStateUrl }: Pick<Config, 'redisStateUrl'>): Redis {
  const url = redisStateUrl.replace('+cluster:', ':')
  return openRedis(url, { maxRetriesPerRequest: null, connectTimeout: second }, statePauseMs)
}

const statePauseMs = (times: number) => Math.min(times * 100, 1_000)

/** BullMQ's Redis for producers: an `add` fails within 5 s, and the spool keeps the batch. */
export const openQueueProducer = ({ redisQueueUrl }: { redisQueueUrl: string }): Redis =>
  openRedis(redisQueueUrl, impatient(5 * second), queuePauseMs)

/** BullMQ's Redis for workers, which wait for the server without a timeout, but not on a connection that is lost. */
export function openQueueConsumer({ redisQueueUrl }: { redisQueueUrl: string }): Redis {
  return openRedis(redisQueueUrl, { maxRetriesPerRequest: null, socketTimeout: silenceMs }, queuePauseMs)
}

const queuePauseMs = (times: number) => Math.min(times * 200, 2_000)

/** The start of a process blocks the event loop for seconds, in which a shorter timeout would expire. */
const firstConnectMs = 10 * second

const isCluster = (url: string) => new URL(url).protocol.endsWith('+cluster:')

/**
 * Reconnects if the server has become a replica, because there is another master then.
 * @param url `redis://` or `rediss://`; with `+cluster` any node of a Redis Cluster; with `+sentinel` a Sentinel, with
 * the master's name as path, and further Sentinels and their password as `?sentinel=host:port&sentinelPassword=…`
 * @param pauseMs before the next attempt to connect
 */
function openRedis(url: string, options: RedisOptions, pauseMs: (times: number) => number): Redis {
  if (isCluster(url)) return openCluster(url, options, pauseMs)
  const connection = {
    ...options,
    connectTimeout: firstConnectMs,
    retryStrategy: pauseMs,
    reconnectOnError: isReadOnly,
  }
  const redis = new URL(url).protocol.endsWith('+sentinel:')
    ? new SingleRedis({ ...connection, ...sentinelOptions(url), sentinelRetryStrategy: queuePauseMs })
    : new SingleRedis(url, connection)
  return redis.once('close', () => {
    redis.options.connectTimeout = options.connectTimeout ?? firstConnectMs
  })
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

/** All shards of the queue, with one connection per URL: shard `i` uses URL `i` modulo the number of URLs. */
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
