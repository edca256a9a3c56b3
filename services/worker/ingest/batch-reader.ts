import { type Job, UnrecoverableError } from 'bullmq'
import { z } from 'zod'
import { RequestEvent } from '#schemas/request-event.ts'
import { EventBatch, unpackEventBatch } from '#shared/pipeline/queue.ts'
import { hasPlausibleTime, type RequestLogRows, toRows } from '#store/clickhouse/logs/request-log-rows.ts'
import { messageOf } from '#core/errors.ts'
import type { UsageLabels } from './usage-labels.ts'
import { UsageTally } from './usage-tally.ts'

interface RejectedLine {
  line: string
  reason: string
}

export interface ReadBatch {
  id: string
  /** Size of the events before conversion to rows. */
  bytes: number
  rows: RequestLogRows
  /**
   * Keys of a few of its logs. A batch is stored as a whole, so these show whether it was. Each is of another account,
   * whose logs may have been deleted since.
   */
  sample: { accountId: string; id: string }[]
  accountIds: Set<string>
  usage: UsageTally
  rejected: RejectedLine[]
}

type BatchJob = Pick<Job, 'id' | 'data'>

const sampleSize = 5

/**
 * Unpacks and validates a batch line by line, so that one bad event does not affect the others. The same batch always
 * gives the same rows.
 * @throws UnrecoverableError if the batch as a whole can't be read; it then stays among the failed jobs
 */
export async function readBatch(job: BatchJob, labels: UsageLabels): Promise<ReadBatch> {
  const { bytes, lines } = await unpack(job)
  const rejected: ReadBatch['rejected'] = []
  const sample: ReadBatch['sample'] = []
  const accountIds = new Set<string>()
  const usage = new UsageTally(labels)

  /** A generator, so that each event can be garbage collected once it is converted. */
  function* events(): Generator<RequestEvent> {
    for (const line of lines) {
      const event = parseEvent(line)
      if (typeof event === 'string') {
        rejected.push({ line, reason: event })
        continue
      }
      const { accountId, id } = event
      if (sample.length < sampleSize && !accountIds.has(accountId)) sample.push({ accountId, id })
      accountIds.add(accountId)
      usage.add(event)
      yield event
    }
  }

  return { id: batchIdOf(job), bytes, rows: toRows(events()), sample, accountIds, usage, rejected }
}

/** @throws UnrecoverableError for a job without an id */
export function batchIdOf({ id }: Pick<Job, 'id'>): string {
  if (id === undefined) throw new UnrecoverableError('the batch has no id')
  return id
}

async function unpack(job: BatchJob): Promise<{ bytes: number; lines: string[] }> {
  try {
    const batch = EventBatch.parse(job.data)
    return { bytes: batch.bytes, lines: await unpackEventBatch(batch) }
  } catch (error) {
    throw new UnrecoverableError(`the batch cannot be read: ${messageOf(error)}`)
  }
}

/** @returns the event, or the reason why it is invalid */
function parseEvent(line: string): RequestEvent | string {
  try {
    const event = RequestEvent.parse(JSON.parse(line))
    return hasPlausibleTime(event.id) ? event : 'the time in the id is not plausible'
  } catch (error) {
    return error instanceof z.ZodError ? toLine(error) : messageOf(error)
  }
}

/** All issues in one line. */
const toLine = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')
