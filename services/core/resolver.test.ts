import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createNameResolver } from './resolver.ts'
import { SharedLimit, TooMuchAtOnceError } from './shared-limit.ts'

let folder: string
let sockets: Socket[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-dns-'))
  sockets = []
})
afterEach(() => {
  for (const socket of sockets) socket.close()
  rmSync(folder, { recursive: true, force: true })
})

const typeA = 1

/** A name server. Names that are not in the table do not exist; of those that are `silent` nothing is said. */
async function startNameServer(table: Record<string, { v4?: string; ttl?: number } | 'silent'>) {
  const socket = createSocket('udp4')
  sockets.push(socket)
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    asked.push(name)
    const entry = table[name]
    if (entry === 'silent') return
    const address = type === typeA ? entry?.v4 : undefined
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(entry ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(address ? 1 : 0, 6)
    head.writeUInt16BE(0, 10)
    const answer = address ? [answerA(address, entry === undefined ? 0 : (entry.ttl ?? 60))] : []
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answer]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, asked }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerA(address: string, ttl: number): Buffer {
  const head = Buffer.from([0xc0, 0x0c, 0, typeA, 0, 1, 0, 0, 0, ttl, 0, 4])
  return Buffer.concat([head, Buffer.from(address.split('.').map(Number))])
}

function open(options: { servers?: string[]; hosts?: string; resolver?: string; now?: () => number } = {}) {
  const [hostsFile, resolverFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  writeFileSync(hostsFile, options.hosts ?? '')
  writeFileSync(resolverFile, options.resolver ?? '')
  const limit = new SharedLimit({ account: 2, process: 8 })
  const { servers = ['127.0.0.1:1'], now } = options
  return { limit, resolve: createNameResolver({ limit, servers, hostsFile, resolverFile, now }) }
}

test('a name is asked for once while its record holds, whoever asks', async () => {
  let now = 0
  const { server, asked } = await startNameServer({ 'api.example.com': { v4: '192.0.2.7', ttl: 60 } })
  const { resolve, limit } = open({ servers: [server], now: () => now })
  const found = [{ address: '192.0.2.7', family: 4 }]
  expect(await Promise.all([resolve('a', 'API.example.com'), resolve('b', 'api.example.com')])).toEqual([found, found])
  expect(await resolve('a', 'api.example.com')).toEqual(found)
  expect(asked).toEqual(['api.example.com', 'api.example.com'])
  now = 61_000
  await resolve('a', 'api.example.com')
  expect(asked).toHaveLength(4)
  expect(limit.used).toBe(0)
})

test('a name that does not exist is not asked for again at once', async () => {
  const { server, asked } = await startNameServer({})
  const { resolve } = open({ servers: [server] })
  for (let time = 0; time < 3; time += 1) {
    await expect(resolve('a', 'nowhere.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  }
  expect(asked).toHaveLength(2)
})

test('names whose server is silent hold up neither other names nor other accounts', async () => {
  const { server } = await startNameServer({
    'black-hole.example.com': 'silent',
    'another-hole.example.com': 'silent',
    'good.example.com': { v4: '192.0.2.8' },
  })
  const { resolve, limit } = open({ servers: [server] })
  const stuck = ['black-hole.example.com', 'another-hole.example.com'].map((name) => resolve('greedy', name))
  const outcomes = Promise.allSettled(stuck)
  await expect(resolve('greedy', 'third-hole.example.com')).rejects.toBeInstanceOf(TooMuchAtOnceError)
  expect(await resolve('other', 'good.example.com')).toEqual([{ address: '192.0.2.8', family: 4 }])
  expect(limit.used).toBe(2)
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(limit.used).toBe(0)
})

test('the files of the system are believed: hosts first, then search domains by the number of dots', async () => {
  const { server, asked } = await startNameServer({
    'vllm.models.svc.cluster.local': { v4: '10.0.0.3' },
    'api.example.com': { v4: '192.0.2.9' },
  })
  const { resolve } = open({
    servers: [server],
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

test('localhost is this machine, also where no file says so', async () => {
  expect(await open().resolve('a', 'localhost')).toEqual([{ address: '127.0.0.1', family: 4 }])
})
