/**
 * The embedded stores as a process of its own, in a directory that goes with it: whatever becomes of the test run,
 * `kill -9` included, its IPC channel closes and everything is stopped. Sends the URLs once they run.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    process.send?.({ ...started, postgresAdminUrl })
    await Promise.race([stopRequest, supervisor.failed])
  }
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof Error ? error.message : error)
}
await supervisor.stop()
await rm(dataDir, { recursive: true, force: true })
process.exit()

/** Every test file has a database of its own made, which belongs to the role that the services have. */
function adminOf(postgresUrl: string, adminPassword: string): string {
  const url = new URL(postgresUrl)
  url.username = postgresAdmin
  url.password = adminPassword
  return url.href
}
