import { z } from 'zod'
import { Moment } from './time-range.ts'

const count = z.number().int().nonnegative()
const time = z.iso.datetime()

/** A proxy's report, sent every second and with every batch. */
export const ProxyReport = z.object({
  host: z.string(),
  pid: z.number().int(),
  at: time,
  accepted: count,
  /** Requests in flight, and events not yet sent to the queue. */
  spooledEvents: count,
  spooledBytes: count,
  /** Used share of the spool's capacity, 0 to 1. */
  fullness: z.number(),
  /** All requests that ended before this time are in the queue. */
  shippedUntil: time,
})
export type ProxyReport = z.infer<typeof ProxyReport>

/** A worker's report, sent every few seconds. */
export const WorkerReport = z.object({
  host: z.string(),
  pid: z.number().int(),
  at: time,
  storedEvents: count,
  inserts: count,
  /** Duration of an insert over the last few minutes, ms. */
  insertP50Ms: z.number().nullable(),
  insertP95Ms: z.number().nullable(),
  /** Error of the last insert; `null` if it succeeded. */
  lastError: z.string().nullable(),
})
export type WorkerReport = z.infer<typeof WorkerReport>

/** A proxy that an operator wrote off because its disk is lost. */
export const WrittenOffProxy = z.object({
  id: z.uuid(),
  host: z.string(),
  pid: z.number().int(),
  /** Time of its last report. */
  at: time,
  writtenOffAt: time,
  /** Events in its spool at the last report: accepted, but lost. */
  events: count,
})
export type WrittenOffProxy = z.infer<typeof WrittenOffProxy>

const instance = { id: z.uuid(), isSilent: z.boolean() }

/** The state of the pipeline, for operators. */
export const Pipeline = z.object({
  at: time,
  /** = stored + queued + spooled + dead + droppedDead + writtenOff + reconciled, unless events are moving between two. */
  accepted: count,
  /** `null`, like all values from ClickHouse, while it is unavailable. */
  stored: count.nullable(),
  queued: count,
  spooled: count,
  /** In dead letters that wait for an operator. */
  dead: count,
  /** In dead letters that an operator dropped. */
  droppedDead: count,
  /** In spools whose disks are lost. */
  writtenOff: count,
  /** Adjusted by an operator: accepted but lost, or negative: stored, but accepted in a queue that is lost. */
  reconciled: z.number().int(),
  difference: z.number().int().nullable(),
  queuedBatches: count,
  oldestWaitingAt: time.nullable(),
  completeUntil: time,
  ingestLagP50Ms: z.number().nullable(),
  ingestLagP95Ms: z.number().nullable(),
  parts: count.nullable(),
  proxies: z.array(ProxyReport.extend(instance)),
  writtenOffProxies: z.array(WrittenOffProxy),
  workers: z.array(WorkerReport.extend(instance)),
  /** Set if the query has a range. */
  range: z
    .object({
      from: time,
      to: time,
      storedEvents: count.nullable(),
      ingestLagP95Ms: z.number().nullable(),
      isComplete: z.boolean(),
    })
    .nullable(),
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
  kind: z.enum(['events', 'batch']),
  events: count,
  reason: z.string(),
  failedAt: time,
})
export type DeadLetter = z.infer<typeof DeadLetter>

export const DeadLetterDetails = DeadLetter.extend({
  /** The raw events and the error of each; empty for a batch that could not be parsed. */
  lines: z.array(z.object({ line: z.string(), reason: z.string() })),
})
export type DeadLetterDetails = z.infer<typeof DeadLetterDetails>
