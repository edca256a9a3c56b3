import { afterAll, expect, test } from 'vitest'
import { createTestClickHouse } from '#tools/test/stores.ts'

const { clickhouse, drop } = await createTestClickHouse()
afterAll(drop)

const read = async (query: string) => (await clickhouse.query({ query, format: 'JSONEachRow' })).json()

test('rows of a query that fails midway are in no response to another one', async () => {
  const failing = read(
    'SELECT number AS foreign, throwIf(number = 500) FROM numbers(1000) SETTINGS max_block_size = 10',
  )
  const next = Array.from({ length: 12 }, () => read('SELECT 1 AS own'))
  await expect(failing).rejects.toThrow('throwIf')
  const later = Array.from({ length: 12 }, () => read('SELECT 1 AS own'))
  for (const rows of await Promise.all([...next, ...later])) expect(rows).toEqual([{ own: 1 }])
})
