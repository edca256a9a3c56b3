import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import getPort from 'get-port'
import { Redis } from 'ioredis'
import { createProcess } from './process.ts'
import { createRedisProcess, type RedisProcess } from './redis-process.ts'

export interface ReplicatedRedis {
  /** Of its Sentinel. */
  url: string
  /** The first one is the master to begin with. */
  servers: readonly [RedisProcess, RedisProcess]
  start(): Promise<void>
  /** The replica becomes the master, and the master its replica. Resolves when both are. */
  failOver(): Promise<void>
  thaw(): void
  stop(): Promise<void>
}

const patienceMs = 30_000

/** Two Redis servers, of which one repeats what the other does, and a Sentinel. */
export async function createReplicatedRedis(program: string, dir: string): Promise<ReplicatedRedis> {
  const name = 'sallyport'
  const first = await createRedisProcess(program, join(dir, 'first'))
  const firstPort = Number(new URL(first.url).port)
  const second = await createRedisProcess(program, join(dir, 'second'), { replicaof: `127.0.0.1 ${firstPort}` })
  const port = await getPort({ host: '127.0.0.1' })
  mkdirSync(dir, { recursive: true })
  const configFile = join(dir, 'sentinel.conf')
  writeFileSync(
    configFile,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor ${name} 127.0.0.1 ${firstPort} 1`,
      `sentinel down-after-milliseconds ${name} 2000`,
      `sentinel failover-timeout ${name} 1500`,
    ].join('\n'),
  )
  const sentinel = createProcess({
    name: 'Sentinel',
    command: program,
    args: [configFile, '--sentinel'],
    ready: (output) => output.some((line) => line.includes('+monitor')),
    readyWithinMs: patienceMs,
  })

  async function withSentinel<Result>(work: (client: Redis) => Promise<Result>): Promise<Result> {
    const client = new Redis(port, '127.0.0.1')
    client.on('error', () => undefined)
    await once(client, 'ready')
    try {
      return await work(client)
    } finally {
      client.disconnect()
    }
  }

  return {
    url: `redis+sentinel://127.0.0.1:${port}/${name}/0`,
    servers: [first, second],
    async start() {
      await Promise.all([first.start(), second.start()])
      await sentinel.start()
      await withSentinel(async (client) => {
        // It takes ten seconds for everything otherwise.
        await client.call('SENTINEL', 'DEBUG', 'info-period', '200', 'publish-period', '200')
        await until(() => isReplicated(client, name))
      })
    },
    failOver: () =>
      withSentinel(async (client) => {
        const before = await masterOf(client, name)
        await client.call('SENTINEL', 'FAILOVER', name)
        await until(async () => (await masterOf(client, name)) !== before)
        await until(() => isReplicated(client, name))
      }),
    thaw() {
      for (const each of [first, second]) each.thaw()
    },
    async stop() {
      await sentinel.stop()
      await Promise.all([first.stop(), second.stop()])
    },
  }
}

const masterOf = async (client: Redis, name: string) =>
  String(await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name))

/** Whether the replica has all that its master has, and Sentinel knows that. */
async function isReplicated(client: Redis, name: string): Promise<boolean> {
  const [facts] = (await client.call('SENTINEL', 'REPLICAS', name)) as string[][]
  const text = facts?.join(' ') ?? ''
  return text.includes('flags slave ') && text.includes('master-link-status ok') && text.includes('role-reported slave')
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('Sentinel did not see what it should')
    await sleep(100)
  }
}
