import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { openPostgres, requireWritablePostgres } from './postgres.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

test('a server that only reads is not writable', async () => {
  await requireWritablePostgres(database.sql)
  const readOnly = openPostgres({ postgresUrl: `${database.url}?default_transaction_read_only=on` }, 'test')
  await expect(requireWritablePostgres(readOnly)).rejects.toThrow('Postgres is read-only')
  await readOnly.end()
})
