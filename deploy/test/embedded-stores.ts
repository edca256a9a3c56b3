/**
 * The embedded stores as a process of its own, in a directory that goes with it: whatever becomes of the test run,
 * `kill -9` included, its IPC channel closes and everything is stopped. Sends the URLs once they run.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '#core/resources.ts'
import { createProgress } from '#deploy/embedded/progress.js'
import { waitForStopRequest } from '#deploy/embedded/stop-request.ts'
import { postgresAdmin } from '#deploy/embedded/postgres.ts'
import { startStores } from '#deploy/embedded/stores.ts'
import { readSettings } from '#deploy/embedded/settings.ts'
import { createSupervisor } from '#deploy/embedded/supervisor.ts'

const stopRequest = waitForStopRequest()
const supervisor = createSupervisor()
const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-stores-'))
const password = () => randomBytes(12).toString('base64url')

try {
  const { given } = readSettings()
  const secrets = { postgresPassword: password(), redisPassword: password() }
  const urls = startStores(supervisor, createProgress(process.stderr), { dataDir, given }, secrets)
  const started = await Promise.race([urls, stopRequest, supervisor.failed])
  if (started && !given.postgresUrl) await allowDatabases(started.postgresUrl, secrets.postgresPassword)
  if (started) {
    process.send?.(started)
    await Promise.race([stopRequest, supervisor.failed])
  }
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof Error ? error.message : error)
}
await supervisor.stop()
await rm(dataDir, { recursive: true, force: true })
process.exit()

/** Every test file makes a database of its own, with the rights that the services have in theirs. */
async function allowDatabases(postgresUrl: string, adminPassword: string): Promise<void> {
  const adminUrl = new URL(postgresUrl)
  adminUrl.username = postgresAdmin
  adminUrl.password = adminPassword
  const sql = openPostgres({ postgresUrl: adminUrl.href }, 'test')
  await sql`alter role ${sql(new URL(postgresUrl).username)} createdb`
  await sql.end()
}
