import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '#core/errors.ts'
import { requireVersion } from '#store/versions.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { outputOf } from '#tools/process/output-of.ts'
import { StartFailure } from '#tools/process/start-failure.ts'
import { stage, type Supervisor } from '#tools/process/supervisor.ts'
import { findOrInstall } from '#tools/process/system-package.ts'

/** How much data each instance may lose, and hold, depends on its purpose. */
const settings = {
  state: ['save 300 1', 'maxmemory 384mb'],
  // For BullMQ: an accepted job is on disk before Redis responds.
  queue: ['save ""', 'appendonly yes', 'appendfsync always'],
} as const

const packages = { apt: 'redis-server', dnf: 'valkey', apk: 'redis', brew: 'redis' }

/**
 * Finds a Redis or Valkey server, or installs one.
 * @returns the path of the program
 * @throws StartFailure if it is too old
 */
export async function findRedisServer(run: Supervisor['run']): Promise<string> {
  const program = await findOrInstall('Redis', () => findCommand(['redis-server', 'valkey-server']), packages, run)
  const [, version = ''] = /v=([\d.]+)/.exec((await outputOf(program, ['--version'])) ?? '') ?? []
  try {
    requireVersion('Redis', version)
  } catch (error) {
    throw new StartFailure(`${program}: ${messageOf(error)}`)
  }
  return program
}

interface RedisOptions {
  program: string
  dataDir: string
  instance: keyof typeof settings
  password: string
}

/** @returns the URL of the instance, which listens only on this machine */
export async function startRedis(
  supervisor: Supervisor,
  { program, dataDir, instance, password }: RedisOptions,
): Promise<string> {
  const port = await findFreePort()
  const dir = join(dataDir, `redis-${instance}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // In a file, because any user can read arguments with `ps`.
  const configFile = join(dir, 'redis.conf')
  const config = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dir)}`,
    'maxmemory-policy noeviction',
    'proc-title-template "{title} {config-file}"',
    ...settings[instance],
  ]
  await writeFile(configFile, `${config.join('\n')}\n`, { mode: 0o600 })
  await supervisor.start(
    {
      name: `Redis (${instance})`,
      command: program,
      args: [configFile],
      ready: (output) => output.some((line) => line.includes('Ready to accept connections')),
      readyWithinMs: 60_000,
      stopSignal: 'SIGTERM',
      stopWithinMs: 5_000,
    },
    stage.stores,
  )
  return `redis://:${password}@127.0.0.1:${port}`
}
