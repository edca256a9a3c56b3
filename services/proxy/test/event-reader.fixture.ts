import { setTimeout } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { EventBatch, requestEventQueue, unpackEventBatch } from '#shared/pipeline/queue.ts'
import { openQueueConsumer } from '#core/resources.ts'
import { RequestEvent } from '#schemas/request-event.ts'

const pollMs = 50
const patienceMs = 10_000

export interface EventReader {
  /** Waits for the event of one request: what an `x-request-id` named. */
  of(requestId: string | null): Promise<RequestEvent>
  /** Waits until an account has as many events; they come in the order in which the requests ended. */
  ofAccount(accountId: string, count: number): Promise<RequestEvent[]>
  close(): Promise<void>
}

/** Reads what the gateways recorded, in the place where the worker would take it from. */
export function openEventReader(redisQueueUrl: string): EventReader {
  const connection = openQueueConsumer({ redisQueueUrl })
  const queue = new Queue(requestEventQueue, { connection })
  const known = new Map<string, RequestEvent>()
  const readJobs = new Set<string>()

  async function readNew(): Promise<void> {
    const jobs = await queue.getJobs(['waiting', 'delayed', 'prioritized'], 0, -1, true)
    for (const job of jobs) {
      if (readJobs.has(job.id!)) continue
      readJobs.add(job.id!)
      for (const line of await unpackEventBatch(EventBatch.parse(job.data))) {
        const event = RequestEvent.parse(JSON.parse(line))
        if (known.has(event.id)) throw new Error(`two events have the id ${event.id}`)
        known.set(event.id, event)
      }
    }
  }

  async function wait<Found>(what: string, find: () => Found | undefined): Promise<Found> {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await setTimeout(pollMs)) {
      await readNew()
      const found = find()
      if (found !== undefined) return found
    }
    throw new Error(`nothing was recorded of ${what}`)
  }

  return {
    of: (requestId) => wait(`request ${requestId}`, () => known.get(requestId ?? '')),
    ofAccount: (accountId, count) =>
      wait(`${count} requests of account ${accountId}`, () => {
        const events = [...known.values()].filter((event) => event.accountId === accountId)
        return events.length >= count ? events : undefined
      }),
    async close() {
      await queue.close()
      connection.disconnect()
    },
  }
}
