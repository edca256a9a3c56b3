import { parseArgs } from 'node:util'
import { closeToOthers, openDataDir } from './data-dir.ts'
import { type Lock, takeLock } from './lock.ts'
import { createProgress } from '#tools/process/progress.js'
import { readSettings } from './settings.ts'
import { startStack } from './stack.ts'
import { describeFailure, StartFailure } from '#tools/process/start-failure.ts'
import { waitForStopRequest } from '#tools/process/stop-request.ts'
import { createSupervisor } from '#tools/process/supervisor.ts'
import { messageOf } from '#core/errors.ts'
import { collectGarbage } from '#core/process/collect-garbage.ts'

// Files of the stack are readable only by its own user.
process.umask(0o077)
const progress = createProgress()
const stopRequest = waitForStopRequest()
// A closed terminal must not interrupt the ordered stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const stopping = new AbortController()
let lock: Lock | undefined
const supervisor = createSupervisor({
  onStarted: async (child) => lock?.setChild(child),
  onKilled: (name) => progress.print(`  ${name} did not stop in time and was killed.`),
  report: (message) => progress.print(`  ${message}`),
})

try {
  const announcement = await Promise.race([start(), stopRequest, supervisor.failed])
  if (announcement) {
    progress.print(announcement)
    collectGarbage()
    await Promise.race([stopRequest, supervisor.failed])
  }
  progress.print('\n  Stopping …')
} catch (error) {
  process.exitCode = 1
  progress.print(`\n${describeFailure(error)}\n`)
}
stopping.abort()
// Parts that are still starting fail now. A connection that Postgres closes while it opens rejects without a handler.
process.on('unhandledRejection', () => {})
await supervisor.stop()
await lock?.release()
process.exit()

async function start(): Promise<string> {
  const { isDev, isDemo } = readArguments()
  const settings = readSettings()
  await openDataDir(settings.dataDir)
  lock = await takeLock(settings.dataDir, () => progress.print('  The last run was killed; cleaning up after it.'))
  await closeToOthers(settings.dataDir)
  return startStack({ settings, supervisor, progress, isDev, isDemo, stopSignal: stopping.signal })
}

function readArguments() {
  try {
    const { values } = parseArgs({ options: { demo: { type: 'boolean' }, dev: { type: 'boolean' } } })
    return { isDev: values.dev ?? false, isDemo: values.demo ?? false }
  } catch (error) {
    throw new StartFailure(`${messageOf(error)}\nUsage: npm start [-- --demo]`, { cause: error })
  }
}
