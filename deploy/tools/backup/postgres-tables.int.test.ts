import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeFailure } from '#core/describe-failure.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { startTcpProxy } from '#tools/stack/tcp-proxy.ts'
import { createTestDatabase } from '#tools/test/stores.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { exportPostgres } from './postgres-tables.ts'

const folder = temporaryFolder(afterAll)

test('a connection to Postgres that breaks off in a copy fails the backup with a sentence', async () => {
  const database = await createTestDatabase()
  await database.sql`create table numbers as select repeat('x', 1000) as text from generate_series(1, 200000)`
  const url = new URL(database.url)
  const wire = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  url.host = `127.0.0.1:${wire.port}`
  const sql = openPostgres({ postgresUrl: url.href }, 'test', storePatienceMs.maintenance)
  const exporting = exportPostgres(sql, join(folder, 'postgres')).catch(describeFailure)
  const copying = () => database.sql`select 1 from pg_stat_progress_copy where bytes_processed > 0`
  await expect.poll(copying, { interval: 5 }).toHaveLength(1)
  wire.set('reject')
  expect(await exporting).toMatch(/^A store cannot be used: .*CONNECTION_CLOSED/)
  // The driver rolls the transaction back meanwhile.
  await database.drop()
  await sql.end({ timeout: 0 })
  await wire.close()
})
