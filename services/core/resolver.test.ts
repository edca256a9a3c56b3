import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type KnownName, type NameServer, startNameServer } from '#tools/stack/name-server.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { createNameResolver } from './resolver.ts'
import { SharedLimit, LimitExceededError } from './limits/shared-limit.ts'

let folder: string
let nameServers: NameServer[]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  folder = temporaryFolder()
  nameServers = []
})
afterEach(() => {
  vi.useRealTimers()
  for (const each of nameServers) each.stop()
})

async function serveNames(names: Record<string, KnownName>): Promise<NameServer> {
  const started = await startNameServer(names)
  nameServers.push(started)
  return started
}

function open(options: { servers?: string[]; hosts?: string; resolver?: string; now?: () => number } = {}) {
  const [hostsFile, resolverFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  writeFileSync(hostsFile, options.hosts ?? '')
  writeFileSync(resolverFile, options.resolver ?? '')
  const limit = new SharedLimit({ account: 2, process: 8 })
  const { servers = ['127.0.0.1:1'], now } = options
  return { limit, resolve: createNameResolver({ limit, servers, hostsFile, resolverFile, now }) }
}

/** Waits for queries, which begin together with the timers of their look-up. */
const seeQueries = ({ asked }: NameServer, count: number) =>
  expect.poll(() => asked.length).toBeGreaterThanOrEqual(count)

test('a name is looked up once while its record is valid, for all accounts', async () => {
  let now = 0
  const { address, asked } = await serveNames({ 'api.example.com': { v4: '192.0.2.7', ttl: 60 } })
  const { resolve, limit } = open({ servers: [address], now: () => now })
  const found = [{ address: '192.0.2.7', family: 4 }]
  expect(await Promise.all([resolve('a', 'API.example.com'), resolve('b', 'api.example.com')])).toEqual([found, found])
  expect(await resolve('a', 'api.example.com')).toEqual(found)
  expect(asked).toEqual(['api.example.com', 'api.example.com'])
  now = 61_000
  await resolve('a', 'api.example.com')
  expect(asked).toHaveLength(4)
  expect(limit.used).toBe(0)
})

test('a name that does not exist is not looked up again at once', async () => {
  const { address, asked } = await serveNames({})
  const { resolve } = open({ servers: [address] })
  for (let time = 0; time < 3; time += 1) {
    await expect(resolve('a', 'nowhere.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  }
  expect(asked).toHaveLength(2)
})

test('names whose server is silent delay neither other names nor other accounts', async () => {
  const server = await serveNames({
    'black-hole.example.com': 'silent',
    'another-hole.example.com': 'silent',
    'good.example.com': { v4: '192.0.2.8' },
  })
  const { resolve, limit } = open({ servers: [server.address] })
  const stuck = ['black-hole.example.com', 'another-hole.example.com'].map((name) => resolve('greedy', name))
  const outcomes = Promise.allSettled(stuck)
  await expect(resolve('greedy', 'third-hole.example.com')).rejects.toBeInstanceOf(LimitExceededError)
  expect(await resolve('other', 'good.example.com')).toEqual([{ address: '192.0.2.8', family: 4 }])
  expect(limit.used).toBe(2)
  await seeQueries(server, 6)
  await vi.advanceTimersByTimeAsync(5_000)
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(limit.used).toBe(0)
})

test('system files apply: hosts first, then search domains by the number of dots', async () => {
  const { address, asked } = await serveNames({
    'vllm.models.svc.cluster.local': { v4: '10.0.0.3' },
    'api.example.com': { v4: '192.0.2.9' },
  })
  const { resolve } = open({
    servers: [address],
    hosts: '127.0.0.1 localhost\n::1 localhost ip6-localhost # both\n10.0.0.2\tollama ollama.lan\n',
    resolver: 'nameserver 10.0.0.53\nsearch models.svc.cluster.local svc.cluster.local\noptions ndots:2 timeout:1\n',
  })
  expect(await resolve('a', 'ollama')).toEqual([{ address: '10.0.0.2', family: 4 }])
  expect(await resolve('a', 'localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
  expect(asked).toEqual([])
  expect(await resolve('a', 'vllm')).toEqual([{ address: '10.0.0.3', family: 4 }])
  expect(await resolve('a', 'api.example.com')).toEqual([{ address: '192.0.2.9', family: 4 }])
  expect(new Set(asked)).toEqual(new Set(['vllm.models.svc.cluster.local', 'api.example.com']))
})

test('localhost is this machine, even without a hosts file', async () => {
  expect(await open().resolve('a', 'localhost')).toEqual([{ address: '127.0.0.1', family: 4 }])
})

test('while no name server responds, the last addresses are used for an hour; a deleted name is not', async () => {
  let now = 0
  const names: Record<string, KnownName> = { 'api.example.com': { v4: '192.0.2.7', ttl: 1 } }
  const server = await serveNames(names)
  const { resolve } = open({ servers: [server.address], now: () => now })
  const found = [{ address: '192.0.2.7', family: 4 }]
  await resolve('a', 'api.example.com')

  names['api.example.com'] = 'silent'
  now = 2_000
  const waiting = resolve('a', 'api.example.com')
  await seeQueries(server, 4)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waiting).toEqual(found)
  await vi.advanceTimersByTimeAsync(4_000)

  delete names['api.example.com']
  now = 10_000
  await expect(resolve('a', 'api.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' })

  names['api.example.com'] = { v4: '192.0.2.7', ttl: 1 }
  now = 20_000
  expect(await resolve('a', 'api.example.com')).toEqual(found)
  const before = server.asked.length
  server.goAway()
  now += 62 * 60_000
  const late = expect(resolve('a', 'api.example.com')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  await seeQueries(server, before + 2)
  await vi.advanceTimersByTimeAsync(5_000)
  await late
})
