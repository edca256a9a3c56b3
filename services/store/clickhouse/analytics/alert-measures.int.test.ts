import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createTestClickHouse } from '#tools/test/stores.ts'
import { hour } from '#core/units.ts'
import { requestEvent } from '../logs/request-event.fixture.ts'
import { storeEvents } from '../logs/stored-logs.fixture.ts'
import { keptFrom } from '../range-pieces.ts'
import { createAlertMeasureStore } from './alert-measures.ts'

const { clickhouse, drop } = await createTestClickHouse()
afterAll(drop)

test('the history has the ten groups with the most requests, each from its first request on', async () => {
  const accountId = uuidv7()
  const to = Math.floor(Date.now() / hour) * hour
  const models = ['l', 'k', 'j', 'i', 'h', 'g', 'f', 'e', 'd', 'c', 'b', 'a']
  // 1 request to l, 2 to k, and so on; b has as many as a.
  const events = models.flatMap((model, index) =>
    Array.from({ length: Math.min(index + 1, 11) }, () =>
      requestEvent({ accountId, model, id: uuidv7({ msecs: to - hour / 2 }) }),
    ),
  )
  await storeEvents(clickhouse, events)
  const measured = { measure: 'requests', filters: { status: 'all', method: 'all' }, group: 'model' } as const
  const measures = createAlertMeasureStore(clickhouse)
  const { groups, isCut } = await measures.history(accountId, measured, { from: to - hour, to }, 15)
  expect(groups.map(({ group }) => group)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
  expect(groups[0]!.values).toEqual([null, null, 11, 0])
  expect(isCut).toBe(true)
})

test('the history of filters that only logs have begins with the logs that are kept', async () => {
  const accountId = uuidv7()
  const to = Math.floor(Date.now() / hour) * hour
  const kept = keptFrom(to, 1)
  await storeEvents(clickhouse, [requestEvent({ accountId, id: uuidv7({ msecs: kept + hour / 2 }) })])
  const measures = createAlertMeasureStore(clickhouse, { logRetentionDays: 1, rollupRetentionDays: 400 })
  const all = { measure: 'requests', filters: { status: 'all', method: 'all' }, group: null } as const
  const span = { from: kept - 2 * hour, to }
  const valuesOf = async (measured: Parameters<typeof measures.history>[1]) =>
    (await measures.history(accountId, measured, span, 60)).groups[0]!.values.slice(0, 12)
  const unknown = Array.from({ length: 11 }, () => null)
  expect(await valuesOf({ ...all, filters: { ...all.filters, outcome: ['completed'] } })).toEqual([...unknown, 1])
  expect(await valuesOf(all)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
})
