import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from '#tools/process/child.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { scriptCommand } from '#tools/process/script-daemon.ts'

export interface StackProcess {
  url: string
  dataDir: string
  pid: number
  output(): string
  exited: Child['exited']
  /** Waits until it is ready. @throws StartFailure with its last lines if it ends before that */
  ready(): Promise<void>
  /** Sends SIGTERM and waits until it has ended. */
  stop(): Promise<void>
}

export interface StackOptions {
  dataDir: string
  env?: NodeJS.ProcessEnv
  args?: string[]
}

/** Starts what `npm start` runs, on a free port and with embedded stores; it ends when this process does. */
export async function spawnStack({ dataDir, env = {}, args = [] }: StackOptions): Promise<StackProcess> {
  const port = Number(env['PORT'] ?? (await findFreePort()))
  const lines: string[] = []
  const child = startChild({
    name: 'npm start',
    ...scriptCommand('deploy/tools/launcher/start.ts', args),
    env: { ...withoutStores(process.env), ...env, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' },
    onLine: (line) => lines.push(line),
  })
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    pid: child.pid,
    exited: child.exited,
    output: () => lines.join('\n'),
    ready: () =>
      child.waitUntilReady({
        ready: (output) => output.some((line) => line.includes('is running:')),
        readyWithinMs: 90_000,
      }),
    stop: async () => void (await child.stop({ stopSignal: 'SIGTERM', stopWithinMs: 45_000 })),
  }
}

/** Starts the embedded stack and waits until it is ready; a temporary data directory is deleted when it stops. */
export async function startStack(options: Partial<StackOptions> = {}): Promise<StackProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'sallyport-stack-')))
  const stack = await spawnStack({ ...options, dataDir })
  const stop = async () => {
    await stack.stop()
    if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await stack.ready()
  } catch (error) {
    await stop()
    throw error
  }
  return { ...stack, stop }
}

/** Settings of the developer's shell must not reach the stack under test. */
const withoutStores = ({ ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  for (const name of [
    'POSTGRES_URL',
    'REDIS_STATE_URL',
    'REDIS_QUEUE_URL',
    'CLICKHOUSE_URL',
    'MASTER_KEYS',
    'SESSION_SECRET',
  ])
    for (const variable of [name, `${name}_FILE`]) delete env[variable]
  return env
}
