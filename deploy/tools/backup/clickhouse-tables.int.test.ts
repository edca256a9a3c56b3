import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '#core/units.ts'
import { createTestClickHouse, type TestClickHouse } from '#tools/test/stores.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { toRows } from '#store/clickhouse/logs/request-log-rows.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { exportClickHouse, importClickHouse } from './clickhouse-tables.ts'

let store: TestClickHouse
const folder = temporaryFolder(afterAll)

beforeAll(async () => void (store = await createTestClickHouse()))
afterAll(() => store?.drop())

/** Three times this is less than the retention of minutes: older rows vanish whenever their parts are merged. */
const spreadMs = 3 * day

test('tables larger than what is inserted at once come back to the last character, with their rollups', async () => {
  const { clickhouse } = store
  const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
  const bodies = ['€'.repeat(70_001), `\t\\N\n${'ö'.repeat(50_001)}`, '🗝'.repeat(30_001)]
  const events = Array.from({ length: 60 }, (_, at) =>
    requestEvent({
      id: uuidv7({ msecs: Date.now() - (at % 3) * spreadMs }),
      requestBody: bodies[at % 3]!,
      errorMessage: `${at} ä`,
    }),
  )
  await logs.insert([toRows(events)], uuidv7())
  const tables = ['request_logs', 'request_details', 'usage_minute', 'usage_day', 'latency_minute', 'ingest_minute']
  const content = () =>
    Promise.all(
      tables.map((table) => selectRows(clickhouse, `SELECT count() AS rows, sum(cityHash64(*)) AS hash FROM ${table}`)),
    )
  const before = await content()
  expect(before[0]).toMatchObject([{ rows: 60 }])

  const counts = await exportClickHouse(clickhouse, folder)
  for (const name of Object.keys(counts)) {
    const [table] = name.split('.')
    await clickhouse.command({ query: `TRUNCATE TABLE ${table}` })
  }
  expect(await content()).not.toEqual(before)
  const [name, rows] = Object.entries(counts)[0]!
  await expect(importClickHouse(clickhouse, folder, { [name]: rows + 1 })).rejects.toThrow(
    `The backup has ${rows + 1} rows of ${name}, but ${rows} were restored.`,
  )
  await importClickHouse(clickhouse, folder, counts, 1_000_000)
  expect(await content()).toEqual(before)
})
