import { z } from 'zod'
import { Moment } from './time-range.ts'

const count = z.number().int().nonnegative()
const time = z.iso.datetime()

/** The report of a proxy, sent every second and with every batch. */
export const ProxyReport = z.object({
  host: z.string(),
  pid: z.number().int(),
  /** Time of the report. */
  at: time,
  accepted: count,
  /** Requests under way, and events that wait to go to the queue. */
  spooledEvents: count,
  spooledBytes: count,
  /** Used part of the spool's room, 0 to 1. */
  fullness: z.number(),
  /** Every request that ended before this moment is in the queue. */
  shippedUntil: time,
})
export type ProxyReport = z.infer<typeof ProxyReport>

/** The report of a worker, sent every few seconds. */
export const WorkerReport = z.object({
  host: z.string(),
  pid: z.number().int(),
  at: time,
  storedEvents: count,
  inserts: count,
  /** Time of one insert over the last few minutes, ms. */
  insertP50Ms: z.number().nullable(),
  insertP95Ms: z.number().nullable(),
  /** Why the last insert failed; `null` when it did not. */
  lastError: z.string().nullable(),
})
export type WorkerReport = z.infer<typeof WorkerReport>

/** A proxy that an operator gave up, because its disk is gone. */
export const WrittenOffProxy = z.object({
  id: z.uuid(),
  host: z.string(),
  pid: z.number().int(),
  /** Time of its last report. */
  at: time,
  writtenOffAt: time,
  /** Events in its spool at the last report: accepted, and never to be stored. */
  events: count,
})
export type WrittenOffProxy = z.infer<typeof WrittenOffProxy>

const living = { id: z.uuid(), isSilent: z.boolean() }

/** The pipeline as its operator sees it. */
export const Pipeline = z.object({
  at: time,
  /** accepted = stored + queued + spooled + dead + droppedDead + writtenOff + reconciled; exact whenever nothing is on its way between two of them. */
  accepted: count,
  /** `null`, like everything from ClickHouse, while it is away. */
  stored: count.nullable(),
  queued: count,
  spooled: count,
  /** Waiting for an operator, and dropped by one. */
  dead: count,
  droppedDead: count,
  /** In spools whose disks are gone. */
  writtenOff: count,
  /** What an operator settled: accepted and nowhere, or less than nothing: stored, and accepted by a queue that is gone. */
  reconciled: z.number().int(),
  difference: z.number().int().nullable(),
  queuedBatches: count,
  oldestWaitingAt: time.nullable(),
  completeUntil: time,
  ingestLagP50Ms: z.number().nullable(),
  ingestLagP95Ms: z.number().nullable(),
  parts: count.nullable(),
  proxies: z.array(ProxyReport.extend(living)),
  writtenOffProxies: z.array(WrittenOffProxy),
  workers: z.array(WorkerReport.extend(living)),
  /** Only for a query with a range. */
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
    message: 'Give both ends of the range or none',
  })
  .refine(({ from, to }) => !from || !to || from < to, { path: ['to'], message: 'The range ends before it begins' })
export type PipelineQuery = z.infer<typeof PipelineQuery>

/** Events that could not be stored, or a batch that could not be read. */
export const DeadLetter = z.object({
  id: z.string(),
  kind: z.enum(['events', 'batch']),
  events: count,
  reason: z.string(),
  failedAt: time,
})
export type DeadLetter = z.infer<typeof DeadLetter>

export const DeadLetterDetails = DeadLetter.extend({
  /** The events as they came, and what is wrong with each; a batch that can't be read has none. */
  lines: z.array(z.object({ line: z.string(), reason: z.string() })),
})
export type DeadLetterDetails = z.infer<typeof DeadLetterDetails>
