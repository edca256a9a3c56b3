/**
 * Measures the CPU time of the state Redis per request: `node deploy/tools/scaling/measure-state.ts`. Makes the
 * limiter's call on many connections, one call at a time each, and reads the CPU time from Redis.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStateRedis } from '#core/redis/connections.ts'
import type { Redis } from '#core/redis/redis.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createRedisProcess } from '#tools/stack/redis-process.ts'
import { limitScript } from '#proxy/admission/limit-script.ts'
import { required } from '#tools/process/required.ts'

const connections = 64
const callsEach = 3_000
const accounts = 1_000

const folder = await mkdtemp(join(tmpdir(), 'sallyport-measure-'))
const server = await createRedisProcess(
  required(findCommand(['redis-server', 'valkey-server']), 'Redis server'),
  folder,
  { appendonly: 'no' },
)
await server.start()
const open = () => openStateRedis({ redisStateUrl: server.url }, 10_000)
const first = open()
const clients = [first, ...Array.from({ length: connections - 1 }, open)]
try {
  await Promise.all(clients.map((client) => once(client, 'ready')))
  const hash = String(await first.script('LOAD', limitScript))
  const before = await usedMicroseconds(first)
  await Promise.all(clients.map((client, at) => callInTurn(client, hash, at)))
  const used = (await usedMicroseconds(first)) - before
  console.log({ stateCallMicroseconds: Math.round((used / (connections * callsEach)) * 10) / 10 })
} finally {
  for (const client of clients) client.disconnect()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function callInTurn(client: Redis, hash: string, offset: number): Promise<void> {
  for (let call = 0; call < callsEach; call += 1) {
    const account = (offset * callsEach + call) % accounts
    const keys = ['minute', 'quota'].map((name) => `${name}:{${account}}`)
    // A limit per minute and a quota, both far from reached; one request, no lease and no refund.
    const [minute, quota] = [
      [1_000_000, 60_000, 1, 0],
      [1_000_000, 86_400_000, 1, 0],
    ] as const
    await client.evalsha(hash, keys.length, ...keys, keys.length, 1, 0, ...minute, ...quota)
  }
}

async function usedMicroseconds(client: Redis): Promise<number> {
  const info = await client.info('cpu')
  const [system = Number.NaN, user = Number.NaN] = [...info.matchAll(/^used_cpu_(?:sys|user):(.+)/gm)].map(
    ([, seconds]) => Number(seconds),
  )
  return (system + user) * 1e6
}
