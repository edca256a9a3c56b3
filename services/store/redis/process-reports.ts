import type { z } from 'zod'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { minute, second } from '#core/units.ts'
import { parseJson } from '#schemas/parse-json.ts'
import { ProxyReport, WorkerReport, WrittenOffProxy } from '#schemas/pipeline.ts'

const silentMs = 10 * second

const goneMs = 10 * minute

/** A command whose response was lost is repeated within this time, s. */
const repeatedSeconds = (10 * minute) / second

/** The same reconciliation twice in a row counts once. */
const reconcileScript = `
  if redis.call('GET', KEYS[2]) ~= ARGV[1] then
    redis.call('INCRBY', KEYS[1], ARGV[1])
    redis.call('SET', KEYS[2], ARGV[1], 'EX', ${repeatedSeconds})
  end
  return redis.call('GET', KEYS[1])`

/** A proxy with a newer report may just be slow, so its spool is not lost. */
const lostMs = minute

type Identified<Report> = Report & { id: string; isSilent: boolean }

const ageOf = ({ at }: { at: string }) => Date.now() - Date.parse(at)

const withSilence = <Report extends { at: string }>(report: Report) => ({
  ...report,
  isSilent: ageOf(report) > silentMs,
})

export type ProcessReports = ReturnType<typeof createProcessReports>

/** The latest reports of proxies and workers, in the first shard of the queue. */
export const createProcessReports = ({ redis, tag }: QueueShard) => {
  const keys = pipelineKeys({ tag })

  async function entriesOf<Report>(hash: string, schema: z.ZodType<Report>) {
    const entries = Object.entries(await redis.hgetall(hash))
    return entries.flatMap(([id, text]) => {
      const parsed = schema.safeParse(parseJson(text))
      return parsed.success ? [{ id, ...parsed.data }] : []
    })
  }

  const proxies = async (): Promise<Identified<ProxyReport>[]> =>
    (await entriesOf(keys.proxies, ProxyReport)).map(withSilence)

  return {
    /** Running proxies, and stopped ones whose spools are not recovered yet. */
    proxies,

    async workers(): Promise<Identified<WorkerReport>[]> {
      const { gone = [], known = [] } = Object.groupBy(await entriesOf(keys.workers, WorkerReport), (report) =>
        ageOf(report) < goneMs ? 'known' : 'gone',
      )
      // A killed worker leaves its report behind.
      if (gone.length > 0) await redis.hdel(keys.workers, ...gone.map(({ id }) => id))
      return known.map(withSilence)
    },

    async writtenOff(): Promise<WrittenOffProxy[]> {
      const reporting = new Set(await redis.hkeys(keys.proxies))
      const entries = await entriesOf(keys.writtenOff, WrittenOffProxy)
      return entries.filter(({ id }) => !reporting.has(id))
    },

    /** Writes off the spool of a proxy. @returns 'alive' when the proxy has reported within the last minute */
    async writeOff(proxyId: string): Promise<WrittenOffProxy | 'unknown' | 'alive'> {
      const proxy = (await proxies()).find(({ id }) => id === proxyId)
      if (!proxy) return 'unknown'
      if (ageOf(proxy) < lostMs) return 'alive'
      const { host, pid, at, spooledEvents: events } = proxy
      const writtenOffAt = new Date().toISOString()
      const lost: WrittenOffProxy = { id: proxyId, host, pid, at, writtenOffAt, events }
      await redis.multi().hset(keys.writtenOff, proxyId, JSON.stringify(lost)).hdel(keys.proxies, proxyId).exec()
      return lost
    },

    /**
     * Corrects the counters for a lasting difference, such as after the loss of a queue. Has no effect if it is repeated.
     * @param difference accepted minus known requests. @returns the sum of all reconciled differences
     */
    reconcile: async (difference: number): Promise<number> =>
      Number(await redis.eval(reconcileScript, 2, keys.reconciled, `${keys.reconciled}:last`, difference)),
  }
}
