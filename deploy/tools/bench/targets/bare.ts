import { join } from 'node:path'
import { findFreePort } from '#tools/process/free-port.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { profileFlags, saysReady, startDaemon } from './daemon.ts'
import { completionsPath, type Target } from './target.ts'

/** The minimum cost of a proxy on fastify and undici. */
export async function startBare(context: BenchContext, upstream: string, start: number): Promise<Target> {
  const port = await findFreePort()
  const pid = await startDaemon(context, {
    name: `bare proxy ${start}`,
    command: process.execPath,
    args: [...profileFlags(context, 'bare'), join(import.meta.dirname, '../bare-proxy.ts')],
    env: { PORT: String(port), UPSTREAM: upstream },
    ready: saysReady,
  })
  const url = `http://127.0.0.1:${port}${completionsPath}`
  return { name: 'bare', start, label: 'bare fastify `hijack` + undici `dispatch`', url, headers: {}, pid }
}
