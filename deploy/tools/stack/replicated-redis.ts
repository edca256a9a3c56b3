import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '#tools/process/free-port.ts'
import { within } from '#tools/process/within.ts'
import { createProcess } from './controlled-process.ts'
import { createRedisProcess, type RedisProcess, sendCommand } from './redis-process.ts'
import { z } from 'zod'

export interface ReplicatedRedis {
  /** The URL of its Sentinel. */
  url: string
  /** Initially, the first one is the master. */
  servers: readonly [RedisProcess, RedisProcess]
  start(): Promise<void>
  /** Swaps master and replica. Resolves once both have changed roles. */
  failOver(): Promise<void>
  thaw(): void
  stop(): Promise<void>
}

/** After a pause of the machine, Sentinel does nothing for 30 s (its tilt mode). */
const patienceMs = 60_000

/** Creates a Redis master with a replica and a Sentinel. */
export async function createReplicatedRedis(program: string, dir: string): Promise<ReplicatedRedis> {
  const name = 'sallyport'
  const first = await createRedisProcess(program, join(dir, 'first'))
  const firstPort = Number(new URL(first.url).port)
  const second = await createRedisProcess(program, join(dir, 'second'), { replicaof: `127.0.0.1 ${firstPort}` })
  const port = await findFreePort()
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

  const ask = (...words: string[]) => sendCommand(`redis://127.0.0.1:${port}/0`, 'SENTINEL', ...words)

  return {
    url: `redis+sentinel://127.0.0.1:${port}/${name}/0`,
    servers: [first, second],
    async start() {
      await Promise.all([first.start(), second.start()])
      await sentinel.start()
      // Otherwise it takes ten seconds to notice a change.
      await ask('DEBUG', 'info-period', '200', 'publish-period', '200')
      await until(() => isReplicated(ask, name))
    },
    async failOver() {
      const before = await masterOf(ask, name)
      await ask('FAILOVER', name)
      await until(async () => (await masterOf(ask, name)) !== before)
      await until(() => isReplicated(ask, name))
    },
    thaw() {
      for (const each of [first, second]) each.thaw()
    },
    async stop() {
      await sentinel.stop()
      await Promise.all([first.stop(), second.stop()])
    },
  }
}

type AskSentinel = (...words: string[]) => Promise<unknown>

const masterOf = async (ask: AskSentinel, name: string) => String(await ask('GET-MASTER-ADDR-BY-NAME', name))

/** @returns whether the replica is in sync with its master, and Sentinel knows it */
async function isReplicated(ask: AskSentinel, name: string): Promise<boolean> {
  const [replica = []] = z.array(z.array(z.string())).parse(await ask('REPLICAS', name))
  const text = replica.join(' ')
  return text.includes('flags slave ') && text.includes('master-link-status ok') && text.includes('role-reported slave')
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  if (!(await within(patienceMs, condition, 100))) throw new Error('Sentinel did not report the expected state in time')
}
