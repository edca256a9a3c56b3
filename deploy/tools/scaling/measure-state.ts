/**
 * Measures what a request costs the state Redis: `node deploy/tools/scaling/measure-state.ts`. The limiter's own call, by many
 * connections that each wait for their answer, as of many proxies; processor time as the server itself counts it.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStateRedis, type Redis } from '#core/resources.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createRedisProcess } from '#tools/stack/redis-process.ts'
import { limitScript } from '#proxy/admission/limit-script.ts'
import { required } from '#tools/process/required.ts'

const connections = 64
const callsEach = 3_000
const accounts = 1_000
const patienceMs = 10_000

const folder = await mkdtemp(join(tmpdir(), 'sallyport-measure-'))
const server = await createRedisProcess(
  required(findCommand(['redis-server', 'valkey-server']), 'Redis server'),
  folder,
  { appendonly: 'no' },
)
await server.start()
const open = () => openStateRedis({ redisStateUrl: server.url }, patienceMs)
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
    const keys = ['minute', 'quota', 'spend'].map((name) => `${name}:{${account}}`)
    // A limit a minute and a quota, both far away; no budget, and so nothing in advance; one request.
    await client.evalsha(hash, keys.length, ...keys, 1_000_000, 60_000, 1_000_000, 86_400_000, -1, 0, 1)
  }
}

async function usedMicroseconds(client: Redis): Promise<number> {
  const info = await client.info('cpu')
  const seconds = ['used_cpu_sys', 'used_cpu_user'].map((name) =>
    Number(new RegExp(`^${name}:(.+)`, 'm').exec(info)?.[1]),
  )
  return seconds.reduce((sum, each) => sum + each, 0) * 1e6
}
