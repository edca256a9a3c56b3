import { setTimeout } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { EventBatch, requestEventQueue, unpackEventBatch } from '#shared/pipeline/queue.ts'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { RequestEvent } from '#schemas/request-event.ts'

const pollMs = 50
const patienceMs = 10_000

/** Reads the gateways' events from the queue, in place of the worker. */
export function openEventReader(redisQueueUrl: string) {
  const connection = openQueueConsumer({ redisQueueUrl })
  const queue = new Queue(requestEventQueue, { connection })
  const known = new Map<string, RequestEvent>()
  const readJobs = new Set<string>()

  /** Batches stay in the queue, so only those that are new are fetched. */
  async function readNew(): Promise<void> {
    const ids = await queue.getRanges(['waiting', 'delayed', 'prioritized'], 0, -1, true)
    for (const id of ids) {
      if (readJobs.has(id)) continue
      readJobs.add(id)
      const job = await queue.getJob(id)
      if (!job) continue
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
    throw new Error(`no event was recorded for ${what}`)
  }

  return {
    /** Waits for the event of one request, by its response or its id. */
    of(request: Response | string | null | undefined) {
      const id = (request instanceof Response ? request.headers.get('x-request-id') : request) ?? ''
      return wait(`request ${id}`, () => known.get(id))
    },
    /** Waits until an account has this many events, in the order in which the requests ended. */
    ofAccount: (accountId: string, count: number) =>
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
