import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '#tools/process/free-port.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { responds, startDaemon } from './daemon.ts'
import { completionsPath, type Target } from './target.ts'

const version = '1.15.2'

/** The versions in its lock file: with later ones, it responds to every stream with 500. */
const overrides = { hono: '4.9.7', '@hono/node-server': '1.13.8' }

/** A comparable gateway, from npm, without authentication, limits and logs. */
export async function startPortkey(context: BenchContext, upstream: string, start: number): Promise<Target> {
  const folder = join(context.workDir, 'portkey')
  if (start === 0) await install(context, folder)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const pid = await startDaemon(context, {
    name: `Portkey ${start}`,
    command: process.execPath,
    args: [join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js'), `--port=${port}`, '--headless'],
    env: { NODE_ENV: 'production' },
    cwd: folder,
    ready: () => responds(url),
  })
  return {
    name: 'portkey',
    start,
    label: `Portkey ${version} (no authentication, limits, log)`,
    url: url + completionsPath,
    headers: {
      authorization: 'Bearer sk-bench',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
    },
    pid,
  }
}

async function install({ supervisor }: BenchContext, folder: string): Promise<void> {
  await mkdir(folder)
  const manifest = { private: true, dependencies: { '@portkey-ai/gateway': version }, overrides }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await supervisor.run({
    name: `npm install @portkey-ai/gateway@${version}`,
    command: 'npm',
    args: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
    cwd: folder,
    env: process.env,
  })
}
