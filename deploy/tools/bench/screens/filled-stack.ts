import { join } from 'node:path'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { openSession } from '#tools/launcher/http-session.ts'

export const analyst = { username: 'analyst', password: 'correct horse battery' }

/** Starts the embedded stack with `options.rows` rows of history. @returns its address */
export async function startFilledStack(context: BenchContext): Promise<string> {
  const { progress, supervisor, options, workDir } = context
  const dataDir = join(workDir, 'data')
  let running: StackProcess | undefined
  context.atEnd(async () => running?.stop())
  const start = () => progress.step('Gateway', async () => (running = await startStack({ dataDir })))
  const { url, stop } = await start()
  await registerAnalyst(url)
  running = undefined
  await stop()
  await progress.step(`${options.rows.toLocaleString('en')} rows`, () =>
    supervisor.run({
      name: 'seed',
      command: process.execPath,
      args: [join(import.meta.dirname, '../../seed/main.ts'), '--rows', String(options.rows)],
      env: { ...process.env, DATA_DIR: dataDir },
    }),
  )
  return (await start()).url
}

/** With keys and a token for the seed, which names them in its rows. */
async function registerAnalyst(url: string): Promise<void> {
  const call = openSession(url)
  await call('POST', '/api/register', { ...analyst, email: 'analyst@example.com' })
  for (const name of ['Production', 'Backup']) await call('POST', '/api/keys', { name, key: `sk-bench-${name}` })
  await call('POST', '/api/tokens', { name: 'Backend' })
}
