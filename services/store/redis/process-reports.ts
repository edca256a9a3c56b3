import type { z } from 'zod'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { minute, second } from '#core/units.ts'
import { ProxyReport, WorkerReport, WrittenOffProxy } from '#schemas/pipeline.ts'

/** Proxies and workers that said nothing for so long are shown as silent. */
const silentMs = 10 * second

/** A worker that was silent for so long is gone; nothing waits for it. */
const goneMs = 10 * minute

/** A proxy that spoke more recently may only be slow: what it holds is not lost. */
const lostMs = minute

/** A report, with whose it is. */
type Known<Report> = Report & { id: string; isSilent: boolean }

export type ProcessReports = ReturnType<typeof createProcessReports>

/** What proxies and workers said of themselves last, in the first shard of the queue. */
export const createProcessReports = ({ redis, tag }: QueueShard, { now = Date.now } = {}) => {
  const keys = pipelineKeys({ tag })

  async function entriesOf<Report>(hash: string, schema: z.ZodType<Report>) {
    const entries = Object.entries(await redis.hgetall(hash))
    return entries.flatMap(([id, text]) => {
      const parsed = schema.safeParse(parseJson(text))
      return parsed.success ? [{ id, ...parsed.data }] : []
    })
  }

  const ageOf = ({ at }: { at: string }) => now() - Date.parse(at)
  const withSilence = <Report extends { at: string }>(report: Report) => ({
    ...report,
    isSilent: ageOf(report) > silentMs,
  })

  const proxies = async (): Promise<Known<ProxyReport>[]> =>
    (await entriesOf(keys.proxies, ProxyReport)).map(withSilence)

  return {
    /** Those that live, and those whose spools nobody has recovered yet. */
    proxies,

    async workers(): Promise<Known<WorkerReport>[]> {
      const reports = await entriesOf(keys.workers, WorkerReport)
      return reports.filter((report) => ageOf(report) < goneMs).map(withSilence)
    },

    /** Proxies that were given up. One that speaks again was not lost and is not among them. */
    async writtenOff(): Promise<WrittenOffProxy[]> {
      const speaking = new Set(await redis.hkeys(keys.proxies))
      const entries = await entriesOf(keys.writtenOff, WrittenOffProxy)
      return entries.filter(({ id }) => !speaking.has(id))
    },

    /**
     * Gives up what a proxy had in its spool when it last spoke, because its disk is gone: nothing waits for it any more.
     * @returns 'unknown' when there is no such proxy, 'alive' when it spoke within the last minute
     */
    async writeOff(proxyId: string): Promise<WrittenOffProxy | 'unknown' | 'alive'> {
      const proxy = (await proxies()).find(({ id }) => id === proxyId)
      if (!proxy) return 'unknown'
      if (ageOf(proxy) < lostMs) return 'alive'
      const lost: WrittenOffProxy = {
        id: proxyId,
        host: proxy.host,
        pid: proxy.pid,
        at: proxy.at,
        writtenOffAt: new Date(now()).toISOString(),
        events: proxy.spooledEvents,
      }
      await redis.multi().hset(keys.writtenOff, proxyId, JSON.stringify(lost)).hdel(keys.proxies, proxyId).exec()
      return lost
    },

    /**
     * Settles a difference that stays: with a queue that was replaced, its numbers are gone.
     * @param difference accepted requests that are nowhere; below zero, stored ones that nobody remembers to have accepted
     * @returns the sum of all that was settled
     */
    reconcile: (difference: number): Promise<number> => redis.incrby(keys.reconciled, difference),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
