import { type Job, UnrecoverableError } from 'bullmq'
import { z } from 'zod'
import { RequestEvent } from '#schemas/request-event.ts'
import { EventBatch, unpackEventBatch } from '#shared/pipeline/queue.ts'
import { hasPlausibleTime, type RequestLogRows, toRows } from '#store/clickhouse/request-log-rows.ts'

/** A line of a batch that is not an event we know, with the reason. */
export interface RejectedLine {
  line: string
  reason: string
}

/** What names a stored row. */
export interface LogKey {
  accountId: string
  id: string
}

export interface ReadBatch {
  id: string
  /** Size of the events before they became rows. */
  bytes: number
  rows: RequestLogRows
  /** A few of its logs: a batch is stored as a whole, so they tell whether it is. */
  sample: LogKey[]
  accountIds: Set<string>
  rejected: RejectedLine[]
}

const sampleSize = 5

/**
 * Unpacks and checks a batch, line by line: one bad event does not take the others with it. The same batch always
 * gives the same rows, whoever reads it and when.
 * @throws UnrecoverableError when the batch as a whole can't be read; it is then kept among the failed jobs
 */
export async function readBatch(job: Job): Promise<ReadBatch> {
  const { bytes, lines } = await unpack(job)
  const read = {
    id: job.id!,
    bytes,
    sample: [] as LogKey[],
    accountIds: new Set<string>(),
    rejected: [] as RejectedLine[],
  }

  /** One at a time: an event that has become rows is not kept. */
  function* events(): Generator<RequestEvent> {
    for (const line of lines) {
      const event = parseEvent(line)
      if (typeof event === 'string') {
        read.rejected.push({ line, reason: event })
        continue
      }
      const { accountId, id } = event
      read.accountIds.add(accountId)
      if (read.sample.length < sampleSize) read.sample.push({ accountId, id })
      yield event
    }
  }

  return { ...read, rows: toRows(events()) }
}

async function unpack(job: Job): Promise<{ bytes: number; lines: string[] }> {
  try {
    const batch = EventBatch.parse(job.data)
    return { bytes: batch.bytes, lines: await unpackEventBatch(batch) }
  } catch (error) {
    throw new UnrecoverableError(`the batch can not be read: ${(error as Error).message}`)
  }
}

/** @returns the event, or why it is none */
function parseEvent(line: string): RequestEvent | string {
  try {
    const event = RequestEvent.parse(JSON.parse(line))
    return hasPlausibleTime(event.id) ? event : 'the time in the id is not plausible'
  } catch (error) {
    return error instanceof z.ZodError ? toLine(error) : (error as Error).message
  }
}

/** What is wrong with which fields, in one line. */
const toLine = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')
