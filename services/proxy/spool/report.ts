import { hostname } from 'node:os'
import type { ProxyReport } from '#schemas/pipeline.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { second } from '#core/units.ts'
import type { ProxyReporter } from './shipper.ts'
import type { Spool } from './spool.ts'

const everyMs = second

/** Keeps the delivery counters in the queue's Redis up to date; what can't be reported now is reported a second later. */
export function createProxyReporter({ redis, tag }: QueueShard, spool: Spool, proxyId: string): ProxyReporter {
  const keys = pipelineKeys({ tag })
  let reportedAt = -everyMs
  let reportedTotal = 0

  async function write(): Promise<void> {
    const report = toReport(spool)
    await Promise.all([
      redis.hset(keys.accepted, proxyId, report.accepted),
      redis.hset(keys.proxies, proxyId, JSON.stringify(report)),
    ])
    reportedTotal = report.accepted
  }

  return {
    get reportedTotal() {
      return reportedTotal
    },
    async report() {
      const now = performance.now()
      if (now - reportedAt < everyMs || redis.status !== 'ready') return
      await write()
      reportedAt = now
    },
    async reportAccepted(id, accepted) {
      if (accepted > 0) await redis.hset(keys.accepted, id, accepted)
    },
    async reportGone(id) {
      // Also when its disk was given up, and came back after all.
      await redis.pipeline().hdel(keys.proxies, id).hdel(keys.writtenOff, id).exec()
    },
    async close() {
      if (redis.status !== 'ready') return
      await write()
      if (spool.events === 0) await redis.hdel(keys.proxies, proxyId)
    },
  }
}

function toReport(spool: Spool): ProxyReport {
  const now = Date.now()
  return {
    host: hostname(),
    pid: process.pid,
    at: new Date(now).toISOString(),
    accepted: spool.accepted,
    spooledEvents: spool.events,
    spooledBytes: spool.bytes,
    fullness: spool.fullness,
    shippedUntil: new Date(spool.oldestEndAt ?? now).toISOString(),
  }
}
