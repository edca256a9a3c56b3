/**
 * Runs the embedded stores in a temporary directory, and sends their URLs to the parent once they are ready. When the
 * test run ends, even by `kill -9`, the IPC channel closes, and the stores are stopped and their data deleted.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { createProgress } from '#tools/process/progress.js'
import { waitForStopRequest } from '#tools/process/stop-request.ts'
import { postgresAdmin } from '#tools/launcher/stores/postgres.ts'
import { startStores } from '#tools/launcher/stores/stores.ts'
import { readSettings } from '#tools/launcher/settings.ts'
import { createSupervisor } from '#tools/process/supervisor.ts'

const stopRequest = waitForStopRequest()
const supervisor = createSupervisor()
const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-stores-'))
const password = () => randomBytes(12).toString('base64url')

try {
  const { given } = readSettings()
  const secrets = { postgresPassword: password(), redisPassword: password() }
  const urls = startStores(supervisor, createProgress(process.stderr), { dataDir, given }, secrets)
  const started = await Promise.race([urls, stopRequest, supervisor.failed])
  if (started) {
    const isOurs = !given.postgresUrl
    const postgresAdminUrl = isOurs ? adminOf(started.postgresUrl, secrets.postgresPassword) : started.postgresUrl
    if (isOurs) await doNotSync(postgresAdminUrl)
    if (!given.redisQueueUrl) await doNotSyncQueue(started)
    process.send?.({ ...started, postgresAdminUrl, clickhouseTemplate: await createTemplate() })
    await Promise.race([stopRequest, supervisor.failed])
  }
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof Error ? error.message : error)
}
await supervisor.stop()
await rm(dataDir, { recursive: true, force: true })
process.exit()

/** Test data need not survive a crash, and short transactions mostly wait for the disk. */
async function doNotSync(postgresUrl: string): Promise<void> {
  const sql = openPostgres({ postgresUrl }, 'test')
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await sql`alter system set ${sql(setting)} = off`
  await sql`select pg_reload_conf()`
  await sql.end()
}

async function doNotSyncQueue(urls: { redisQueueUrl: string }): Promise<void> {
  const redis = openQueueConsumer(urls)
  await redis.config('SET', 'appendfsync', 'no')
  redis.disconnect()
}

/** @returns a ClickHouse data directory with the newest schema, which test files copy */
async function createTemplate(): Promise<string> {
  const template = join(dataDir, 'clickhouse')
  const clickhouse = await openClickHouse({ clickhouseUrl: undefined, dataDir: template })
  await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
  await clickhouse.close()
  return template
}

/** The URL of the role that may create databases. */
function adminOf(postgresUrl: string, adminPassword: string): string {
  const url = new URL(postgresUrl)
  url.username = postgresAdmin
  url.password = adminPassword
  return url.href
}
