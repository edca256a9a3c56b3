import { hostname } from 'node:os'
import type { ProxyReport } from '#schemas/pipeline.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { isoTime } from '#core/period.ts'
import { second } from '#core/units.ts'
import type { Spool } from './spool.ts'

const everyMs = second

export type ProxyReporter = ReturnType<typeof createProxyReporter>

/** Keeps the delivery counters in the queue's Redis up to date; a failed report is repeated a second later. */
export function createProxyReporter({ redis, tag }: QueueShard, spool: Spool, proxyId: string) {
  const keys = pipelineKeys({ tag })
  let reportedAt = -everyMs
  let reportedTotal = 0
  let reportedShipped = 0
  let isGone = false

  const shipped = () => spool.accepted - spool.events

  async function write(): Promise<void> {
    const now = Date.now()
    reportedShipped = shipped()
    const report: ProxyReport = {
      host: hostname(),
      pid: process.pid,
      at: isoTime(now),
      accepted: spool.accepted,
      spooledEvents: spool.events,
      spooledBytes: spool.bytes,
      fullness: spool.fullness,
      shippedUntil: isoTime(spool.oldestEndAt ?? now),
    }
    await Promise.all([
      redis.hset(keys.accepted, proxyId, report.accepted),
      redis.hset(keys.proxies, proxyId, JSON.stringify(report)),
    ])
    reportedTotal = report.accepted
  }

  return {
    /** How many of this proxy's accepted requests the delivery counters include. */
    get reportedTotal() {
      return reportedTotal
    },
    /** Once a second, and whenever events were shipped: until then, they count as spooled and as queued. */
    async report(): Promise<void> {
      const now = performance.now()
      if (now - reportedAt < everyMs && shipped() === reportedShipped) return
      if (redis.status !== 'ready') return
      await write()
      reportedAt = now
    },
    /** How many requests a dead proxy had accepted. If its disk was full, it has reported more than were written. */
    async reportAccepted(id: string, accepted: number): Promise<void> {
      const reported = Number(await redis.hget(keys.accepted, id))
      if (accepted > reported) await redis.hset(keys.accepted, id, accepted)
    },
    /** Reports that everything of a dead proxy has been shipped, even if its disk had been written off. */
    async reportGone(id: string): Promise<void> {
      // Not a pipeline, which also resolves without a connection.
      await Promise.all([redis.hdel(keys.proxies, id), redis.hdel(keys.writtenOff, id)])
    },
    /** Whether this proxy has shipped everything, and the queue's Redis knows it. */
    get isGone() {
      return isGone
    },
    /** The last report of this proxy. */
    async close(): Promise<void> {
      if (redis.status !== 'ready') return
      await write()
      if (spool.events > 0) return
      await redis.hdel(keys.proxies, proxyId)
      isGone = true
    },
  }
}
