import { join } from 'node:path'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { openSession } from '#tools/launcher/http-session.ts'
import { Stats } from '#schemas/analytics.ts'

export const analyst = { username: 'analyst', password: 'correct horse battery' }

/** Fraction of the rows that the seed assigns to the oldest account. */
const ownShare = 0.2

/**
 * Starts the embedded stack with `options.rows` rows of history; seeds them unless the data folder already has them.
 * @returns its address
 */
export async function startFilledStack(context: BenchContext): Promise<string> {
  const { progress, supervisor, options, workDir } = context
  const dataDir = options.dataDir ?? join(workDir, 'data')
  let running: StackProcess | undefined
  context.atEnd(async () => running?.stop())
  const start = () => progress.step('Gateway', async () => (running = await startStack({ dataDir })))
  const { url, stop } = await start()
  if ((await countRequests(url)) >= 0.99 * ownShare * options.rows) return url
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

/** Counts the account's requests. Registers it first, with keys and a token for the seed, if it does not exist yet. */
async function countRequests(url: string): Promise<number> {
  const call = openSession(url)
  const isKnown = await call('POST', '/api/login', analyst).then(
    () => true,
    () => false,
  )
  if (!isKnown) {
    await call('POST', '/api/register', { ...analyst, email: 'analyst@example.com' })
    for (const name of ['Production', 'Backup']) await call('POST', '/api/keys', { name, key: `sk-bench-${name}` })
    await call('POST', '/api/tokens', { name: 'Backend' })
  }
  return Stats.parse(await call('GET', '/api/stats')).totalRequests
}
