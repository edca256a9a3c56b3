import { randomBytes } from 'node:crypto'
import { Queue } from 'bullmq'
import { v7 as uuidv7 } from 'uuid'
import type { Redis } from '#core/redis/redis.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { mib } from '#core/units.ts'
import { jobNameOf, packEvents, requestEventQueue } from '#shared/pipeline/queue.ts'
import { required } from '#tools/process/required.ts'

const accounts = Array.from({ length: 200 }, () => uuidv7())
const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'o3']
const headers = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'OpenAI/JS 5.12.0',
  'x-stainless-lang': 'js',
  'x-stainless-runtime': 'node',
}

/** A request of one of 200 accounts, without bodies, about 1 KB as JSON. */
export const benchEvent = (count: number, changes: Partial<RequestEvent> = {}): RequestEvent =>
  requestEvent({
    accountId: required(accounts[count % accounts.length], 'account'),
    model: models[count % models.length],
    status: count % 25 === 0 ? 429 : 200,
    responseTimeMs: 200 + (count % 800),
    userAgent: `OpenAI/JS 5.12.${count % 7}`,
    promptTokens: 20 + ((count * 7_919) % 3_000),
    costNanoUsd: 1_000 * ((count * 104_729) % 90_000),
    providerRequestId: `req_${randomBytes(16).toString('hex')}`,
    clientAddress: `10.${count % 200}.${(count * 31) % 250}.7`,
    requestHeaders: headers,
    responseHeaders: {
      'content-type': 'application/json',
      'openai-processing-ms': '212',
      'x-request-id': randomBytes(16).toString('hex'),
    },
    ...changes,
  })

const batchEvents = 1_000

/** Adds events to a queue, as after a long outage of its workers. @returns memory of Redis before and after, MiB */
export async function fillQueue(redis: Redis, events: number): Promise<{ before: number; after: number }> {
  const memory = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]) / mib
  const before = await memory()
  const queue = new Queue(requestEventQueue, { connection: redis })
  for (let done = 0; done < events; done += batchEvents) {
    const batch = Array.from({ length: batchEvents }, (_, at) => benchEvent(done + at))
    const options = { jobId: uuidv7(), attempts: 1_000, removeOnComplete: true }
    await queue.add(jobNameOf(batchEvents), await packEvents(batch), options)
  }
  const after = await memory()
  await queue.close()
  return { before, after }
}
