import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#tools/process/free-port.ts'
import { minute } from '#core/units.ts'
import { Load } from '#tools/load/load.ts'
import { openFilesOf, proportionalMib, threadsOf } from '#tools/load/process-stats.ts'
import { machineLine, markdownTable, type Row, round } from '#tools/load/report.ts'
import { scriptCommand } from '#tools/process/script-daemon.ts'
import { openAccount } from '#tools/stack/account.ts'
import { startStack } from '#tools/stack/launched-stack.ts'
import type { Part } from './part.ts'
import { startDaemon } from './targets/daemon.ts'
import { writeMeasured } from './write-measured.ts'

/** Requests/s. */
const rate = 50

/** Measurements during the load. */
const steps = 6

/** Measures memory, threads and open files of all processes of `npm start` with its stores, idle and under load. */
export const stackPart: Part = async (context) => {
  const { progress, options, workDir, atEnd } = context
  const port = await findFreePort()
  await startDaemon(context, {
    name: 'provider',
    ...scriptCommand('deploy/tools/sample-provider/main.ts'),
    env: { PROVIDER_PORT: String(port) },
    ready: (output) => output.length > 0,
  })
  const env = {
    PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
    PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: null } }),
  }
  const stack = await progress.step('npm start', () => startStack({ dataDir: join(workDir, 'data'), env }))
  atEnd(stack.stop)
  const account = await openAccount(stack.url, { username: 'bench' })
  const { token } = await account.newToken('bench')
  const rows: Row[] = []
  const measure = async (minutes: number, completed: number) => {
    const [memory, threads, files] = await Promise.all(
      [proportionalMib, threadsOf, openFilesOf].map((read) => read(stack.pid)),
    )
    rows.push([minutes, round(completed, 0), round(memory, 0), threads, files])
  }
  await progress.step('At rest', () => sleep(minute))
  await measure(0, 0)
  const load = new Load({ url: stack.url, token, rate, name: 'bench' })
  for (let step = 1; step <= steps; step += 1) {
    await progress.step(`Load, ${step} of ${steps}`, () => sleep((options.minutes * minute) / steps))
    await measure((step * options.minutes) / steps, load.ledger.filter(({ completed }) => completed).length)
  }
  await load.stop()
  const head = ['minutes of load', 'responses', 'memory, MiB', 'threads', 'open files']
  const text = `${rate} requests/s, every tenth a stream:\n\n${markdownTable(head, rows)}\n\n${machineLine()}`
  progress.print(`\n${text}\n`)
  if (options.write) progress.print(await writeMeasured('stack', text))
}
