import { z } from 'zod'
import { count } from './numbers.ts'
import { Moment } from './time-range.ts'

const time = z.iso.datetime()

/** A proxy's report, sent every second and with every batch. */
export const ProxyReport = z.object({
  host: z.string(),
  pid: z.number().int(),
  at: time,
  accepted: count,
  spooledEvents: count.describe('Requests in flight, and events not yet sent to the queue.'),
  spooledBytes: count,
  fullness: z.number().describe("Used share of the spool's capacity, 0 to 1."),
  shippedUntil: time.describe('All requests that ended before this time are in the queue.'),
})
export type ProxyReport = z.infer<typeof ProxyReport>

/** A worker's report, sent every few seconds. */
export const WorkerReport = z.object({
  host: z.string(),
  pid: z.number().int(),
  at: time,
  storedEvents: count,
  inserts: count,
  insertP50Ms: z.number().nullable().describe('Duration of an insert over the last few minutes, ms.'),
  insertP95Ms: z.number().nullable(),
  lastError: z.string().nullable().describe('Error of the last insert; `null` if it succeeded.'),
})
export type WorkerReport = z.infer<typeof WorkerReport>

/** A proxy that an operator wrote off because its disk is lost. */
export const WrittenOffProxy = z.object({
  id: z.uuid(),
  host: z.string(),
  pid: z.number().int(),
  at: time.describe('Time of its last report.'),
  writtenOffAt: time,
  events: count.describe('Events in its spool at the last report: accepted, but lost.'),
})
export type WrittenOffProxy = z.infer<typeof WrittenOffProxy>

const instance = { id: z.uuid(), isSilent: z.boolean().describe('Whether its reports have stopped.') }

/** The state of the pipeline, for operators. Counts are numbers of requests. */
export const Pipeline = z.object({
  at: time,
  accepted: count.describe(
    '= stored + queued + spooled + dead + droppedDead + writtenOff + reconciled, unless events are moving between two.',
  ),
  stored: count.nullable().describe('`null`, like all values from ClickHouse, while it is unavailable.'),
  queued: count.describe('In batches in the queue.'),
  spooled: count.describe('On the disks of proxies.'),
  dead: count.describe('In dead letters that wait for an operator.'),
  droppedDead: count.describe('In dead letters that an operator dropped.'),
  writtenOff: count.describe('In spools whose disks are lost.'),
  reconciled: z
    .number()
    .int()
    .describe('Adjusted by an operator: accepted but lost, or negative: stored, but accepted in a queue that is lost.'),
  difference: z
    .number()
    .int()
    .nullable()
    .describe('`accepted` minus all others: above 0 if events are lost, briefly below while they move, else 0.'),
  queuedBatches: count,
  oldestWaitingAt: time.nullable().describe('Since when the oldest batch waits in the queue.'),
  completeUntil: time.describe('Every request that ended before this time is stored.'),
  ingestLagP50Ms: z
    .number()
    .nullable()
    .describe('From the end of a request until it is stored, over the last few minutes.'),
  ingestLagP95Ms: z.number().nullable(),
  parts: count.nullable().describe("Active parts of ClickHouse's tables."),
  proxies: z.array(ProxyReport.extend(instance)),
  writtenOffProxies: z.array(WrittenOffProxy),
  workers: z.array(WorkerReport.extend(instance)),
  range: z
    .object({
      from: time,
      to: time,
      storedEvents: count.nullable(),
      ingestLagP95Ms: z.number().nullable(),
      isComplete: z.boolean().describe('Whether every request that ended in the range is stored.'),
    })
    .nullable()
    .describe('Set if the query has a range.'),
})
export type Pipeline = z.infer<typeof Pipeline>

const rangeEnd = Moment.transform((text) => new Date(text).toISOString())

export const PipelineQuery = z
  .strictObject({ from: rangeEnd.optional(), to: rangeEnd.optional() })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    path: ['to'],
    message: 'Send both from and to, or neither',
  })
  .refine(({ from, to }) => !from || !to || from < to, { path: ['to'], message: 'The range ends before it begins' })

/** Events that could not be stored, or a batch that could not be parsed. */
export const DeadLetter = z.object({
  id: z.string(),
  kind: z.enum(['events', 'batch']).describe('`batch`: it could not be parsed.'),
  events: count,
  reason: z.string(),
  failedAt: time,
})
export type DeadLetter = z.infer<typeof DeadLetter>

export const DeadLetterDetails = DeadLetter.extend({
  lines: z
    .array(z.object({ line: z.string(), reason: z.string() }))
    .describe('The raw events and the error of each; empty for a batch that could not be parsed.'),
})
export type DeadLetterDetails = z.infer<typeof DeadLetterDetails>
