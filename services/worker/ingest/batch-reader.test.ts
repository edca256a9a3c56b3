import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { packEvents } from '#shared/pipeline/queue.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { readBatch } from './batch-reader.ts'
import { createUsageLabels } from './usage-labels.ts'

test.each(['2019-12-31T23:59:59.999Z', '2100-01-01T00:00:00.000Z'])('an event of %s is invalid', async (time) => {
  const event = requestEvent({ id: uuidv7({ msecs: Date.parse(time) }) })
  const job = { id: uuidv7(), data: await packEvents([event, requestEvent()]) }
  const { rows, rejected } = await readBatch(job, createUsageLabels())
  expect([rows.count, rejected.length]).toEqual([1, 1])
})

test('reading a batch twice gives the same rows, and all of its accounts', async () => {
  const events = Array.from({ length: 20 }, (_, at) =>
    requestEvent({ accountId: uuidv7(), requestBody: 'ü'.repeat(at * 1_000) }),
  )
  const job = { id: uuidv7(), data: await packEvents([...events, { broken: 1 }]) }
  const read = await readBatch(job, createUsageLabels())
  expect(read).toEqual(await readBatch(job, createUsageLabels()))
  expect([...read.accountIds]).toEqual(events.map(({ accountId }) => accountId))
})
