import { type Job, UnrecoverableError } from 'bullmq'
import { RequestEvent } from '#schemas/request-event.ts'
import { EventBatch, unpackEventBatch } from '#core/queue.ts'

/** A line of a batch that is not an event we know, with the reason. */
export interface RejectedLine {
  line: string
  reason: string
}

export interface ReadBatch {
  id: string
  events: RequestEvent[]
  rejected: RejectedLine[]
}

/**
 * Unpacks and checks a batch, line by line: one bad event does not take the others with it.
 * @throws UnrecoverableError when the batch as a whole can't be read; it is then kept among the failed jobs
 */
export async function readBatch(job: Job): Promise<ReadBatch> {
  const batch: ReadBatch = { id: job.id!, events: [], rejected: [] }
  for (const line of await unpack(job)) {
    const parsed = parseEvent(line)
    if (typeof parsed === 'string') batch.rejected.push({ line, reason: parsed })
    else batch.events.push(parsed)
  }
  return batch
}

async function unpack(job: Job): Promise<string[]> {
  try {
    return await unpackEventBatch(EventBatch.parse(job.data))
  } catch (error) {
    throw new UnrecoverableError(`the batch can not be read: ${(error as Error).message}`)
  }
}

/** @returns the event, or why it is none */
function parseEvent(line: string): RequestEvent | string {
  try {
    return RequestEvent.parse(JSON.parse(line))
  } catch (error) {
    return (error as Error).message
  }
}
