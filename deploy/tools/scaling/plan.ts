import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { keysOf } from '#core/records.ts'
import { second } from '#core/units.ts'
import { insertIntervalMs, maxBytes } from '#shared/pipeline/group-limits.ts'

const Measured = z.object({ value: z.number().positive(), meaning: z.string(), source: z.string() })
const names = [
  'proxyRequestMicroseconds',
  'proxyEventMicroseconds',
  'queueEventMicroseconds',
  'queueEventBytes',
  'spoolEventBytes',
  'stateCallMicroseconds',
  'workerEventMicroseconds',
  'clickhouseRowMicroseconds',
  'clickhouseRowBytes',
  'clickhouseInsertMicroseconds',
  'tlsHandshakeMicroseconds',
] as const

export const measurements = z
  .record(z.enum(names), Measured)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8')))

const cost = (name: (typeof names)[number]): number => measurements[name].value

/** Planned utilization of a core: the rest is for peaks, failed nodes and low latencies. */
export const plannedUse = 0.5

/** Cores of one ClickHouse node, and the fraction of them for inserts: the rest is for queries. */
const clickhouseCores = 8
const insertShare = 0.4

/** Duration of a request, which determines how many are open at once. */
const secondsPerRequest = 5

/** With more open requests, the autoscaler adds a proxy. */
const openPerProxy = 2_000

/** A connection to a provider is reused until it has been idle for 30 s, or the provider closes it. */
const requestsPerConnection = 100

/** `POSTGRES_POOL`, and the processes with the api role. */
const postgresPool = 10
const apis = 2

/** Requests per second that one node of each kind carries at `plannedUse`. */
export const capacity = {
  proxy: perSecond(
    cost('proxyRequestMicroseconds') +
      cost('proxyEventMicroseconds') +
      cost('tlsHandshakeMicroseconds') / requestsPerConnection,
  ),
  'state Redis': perSecond(cost('stateCallMicroseconds')),
  'queue Redis': perSecond(cost('queueEventMicroseconds')),
  worker: perSecond(cost('workerEventMicroseconds')),
  ClickHouse: Math.floor((clickhouseCores * insertShare * 1e6) / cost('clickhouseRowMicroseconds')),
} as const
export type Part = keyof typeof capacity

interface Plan {
  requestsPerSecond: number
  /** Number of nodes of each kind; at least two of the services. */
  nodes: Record<Part, number>
  openRequests: number
  insertsPerSecond: number
  postgresConnections: number
  /** Logs of 90 days on one replica, in bytes. */
  logBytes: number
}

export function planFor(requestsPerSecond: number): Plan {
  const needed = (part: Part, least: number) => Math.max(least, Math.ceil(requestsPerSecond / capacity[part]))
  const openRequests = requestsPerSecond * secondsPerRequest
  const proxy = Math.max(needed('proxy', 2), Math.ceil(openRequests / openPerProxy))
  const worker = needed('worker', 2)
  const queueRedis = needed('queue Redis', 1)
  const consumers = worker * queueRedis
  const fullGroups = (requestsPerSecond * cost('spoolEventBytes')) / (maxBytes / queueRedis)
  const insertsPerSecond = Math.ceil(Math.max(fullGroups, (consumers * second) / insertIntervalMs(consumers)))
  const insertMicroseconds =
    requestsPerSecond * cost('clickhouseRowMicroseconds') + insertsPerSecond * cost('clickhouseInsertMicroseconds')
  return {
    requestsPerSecond,
    nodes: {
      proxy,
      'state Redis': needed('state Redis', 1),
      'queue Redis': queueRedis,
      worker,
      ClickHouse: Math.ceil(insertMicroseconds / (clickhouseCores * insertShare * 1e6)),
    },
    openRequests,
    insertsPerSecond,
    postgresConnections: (proxy + worker + apis) * postgresPool,
    logBytes: requestsPerSecond * 86_400 * 90 * cost('clickhouseRowBytes'),
  }
}

/** How to scale a part that reaches its limit, with existing software only. */
const successors: Record<Part, string> = {
  proxy: 'more proxies (HPA)',
  'state Redis': 'Redis Cluster by account',
  'queue Redis': '`QUEUE_SHARDS`, Redis Cluster',
  worker: 'more workers, up to the shards of the queue',
  ClickHouse: '`CLICKHOUSE_CLUSTER`: shards and replicas',
}

interface Bottleneck {
  part: Part
  /** Its limit as a multiple of the planned requests. */
  headroom: number
  successor: string
}

/** The parts of a plan that reach their limit first if requests grow and nodes do not. */
export const bottlenecksOf = ({ requestsPerSecond, nodes }: Plan): Bottleneck[] =>
  partNames
    .map((part) => ({
      part,
      headroom: (nodes[part] * limitOf(part)) / requestsPerSecond,
      successor: successors[part],
    }))
    .toSorted((one, other) => one.headroom - other.headroom)
    .slice(0, 3)

const partNames = keysOf(capacity)

/** Requests per second of one node without any reserve. */
function limitOf(part: Part): number {
  if (part === 'proxy') return Math.min(capacity.proxy / plannedUse, openPerProxy / secondsPerRequest / plannedUse)
  return capacity[part] / (part === 'ClickHouse' ? insertShare : plannedUse)
}

function perSecond(microseconds: number): number {
  return Math.floor((plannedUse * 1e6) / microseconds)
}

interface Outage {
  /** Peak memory of the queue, and peak spool of one proxy, bytes. */
  queueBytes: number
  spoolBytes: number
  /** Time until everything is stored after ClickHouse is back; `undefined` if it never is. */
  drainedAfterSeconds: number | undefined
}

interface OutageOptions {
  requestsPerSecond: number
  outageSeconds: number
  nodes: Plan['nodes']
  queueMaxBytes: number
}

/**
 * Simulates each second: while ClickHouse is down, the queue fills, then the spools; then workers run at their limit.
 */
export function simulateOutage({ requestsPerSecond, outageSeconds, nodes, queueMaxBytes }: OutageOptions): Outage {
  const storedPerSecond = Math.min(nodes.worker * capacity.worker, nodes.ClickHouse * capacity.ClickHouse) / plannedUse
  const queueMaxEvents = queueMaxBytes / cost('queueEventBytes')
  let queued = 0
  let spooled = 0
  const outage: Outage = { queueBytes: 0, spoolBytes: 0, drainedAfterSeconds: undefined }
  for (let at = 0; at < outageSeconds + 7 * 86_400; at += 1) {
    const isAway = at < outageSeconds
    const arrived = spooled + requestsPerSecond
    const shipped = Math.min(arrived, queueMaxEvents - queued)
    spooled = arrived - shipped
    queued += shipped
    if (!isAway) queued -= Math.min(queued, storedPerSecond)
    outage.queueBytes = Math.max(outage.queueBytes, queued * cost('queueEventBytes'))
    outage.spoolBytes = Math.max(outage.spoolBytes, (spooled * cost('spoolEventBytes')) / nodes.proxy)
    if (!isAway && queued === 0 && spooled === 0) return { ...outage, drainedAfterSeconds: at - outageSeconds }
    if (!isAway && storedPerSecond <= requestsPerSecond) break
  }
  return outage
}
