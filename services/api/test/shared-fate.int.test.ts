import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { addApiFallback } from '../../proxy/api-fallback.ts'
import { password, testApi, type TestUser } from './api.fixture.ts'

const api = await testApi({
  ACCOUNT_LIMITS: JSON.stringify({ tails: 20, exports: 1, queries: 8, bodyBytes: 8 * mib }),
  ALLOWED_HOSTS: 'gateway.example',
})
const apiUrl = await api.app.listen({ port: 0, host: '127.0.0.1' })
const gateway = Fastify({ forceCloseConnections: true })
await addApiFallback(gateway, apiUrl, () => true)
const url = await gateway.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => gateway.close())

test('row 51: live tails are limited per account, and other requests are still served', async () => {
  const [greedy, other, bystander] = [await api.register(), await api.register(), await api.register()]
  let stopping = new AbortController()
  const open = (user: TestUser, at: number) =>
    fetch(`${url}/api/logs/tail?status=${200 + at}`, { headers: { cookie: user.cookie }, signal: stopping.signal })
  const opened = await Promise.all(
    [greedy, other].flatMap((user) => Array.from({ length: 24 }, (_, at) => open(user, at))),
  )
  for (const own of [opened.slice(0, 24), opened.slice(24)]) {
    expect(own.filter(({ status }) => status === 200)).toHaveLength(20)
    const rejected = own.filter(({ status }) => status === 429)
    expect(rejected).toHaveLength(4)
    expect(rejected[0]!.headers.get('retry-after')).toBe('1')
    expect(await rejected[0]!.json()).toMatchObject({ code: 'too-many-requests' })
  }
  const headers = { cookie: bystander.cookie, 'content-type': 'application/json' }
  const calls = ['/api/user', '/api/logs', '/api/stats'].map((path) => fetch(url + path, { headers }))
  const body = JSON.stringify({ username: bystander.username, password })
  const responses = await Promise.all([...calls, fetch(`${url}/api/login`, { method: 'POST', headers, body })])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  stopping.abort()
  stopping = new AbortController()
  await expect.poll(async () => (await open(greedy, 0)).status).toBe(200)
  stopping.abort()
})

test('stalled clients do not block others', async () => {
  const { port } = new URL(url)
  const slow = Array.from({ length: 100 }, () => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{')
    return socket
  })
  const user = await api.register()
  const response = await fetch(`${url}/api/user`, { headers: { cookie: user.cookie } })
  expect(response.status).toBe(200)
  for (const socket of slow) socket.destroy()
})

test('queries are queued per account, and rejected beyond the limit', async () => {
  const [greedy, other] = [await api.register(), await api.register()]
  const reads = Array.from({ length: 40 }, () => greedy.call('GET', '/api/logs?limit=1000'))
  const own = other.call('GET', '/api/logs')
  expect((await own).statusCode).toBe(200)
  const statuses = (await Promise.all(reads)).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(8)
  expect(statuses.filter((status) => status === 429)).toHaveLength(32)
  expect((await greedy.call('GET', '/api/logs')).statusCode).toBe(200)
})

const unknownView = `/api/views/${uuidv7()}`

test.each([
  ['GET', '/api/user', undefined],
  ['GET', '/api/views', undefined],
  ['GET', unknownView, undefined],
  ['GET', '/api/proxy/config', undefined],
  ['DELETE', unknownView, undefined],
  ['POST', '/api/views', { screen: 'request-logs' }],
] as const)(
  'row 75: hundreds of requests of an account delay those of others by a few: %s %s',
  async (method, path, body) => {
    const [greedy, other] = [await api.register(), await api.register()]
    let responses = 0
    const calls = Array.from({ length: 300 }, async () => {
      await greedy.call(method, path, body)
      responses += 1
    })
    await other.call(method, path, body)
    expect(responses).toBeLessThan(60)
    await Promise.all(calls)
  },
)

test('parallel exports are limited', async () => {
  const user = await api.register()
  const accountId = await user.accountId()
  const events = Array.from({ length: 5_000 }, () => requestEvent({ accountId, userAgent: 'x'.repeat(2_000) }))
  await storeEvents(api.clickhouse, events)
  const stopping = new AbortController()
  const open = () => fetch(`${url}/api/logs/export`, { headers: { cookie: user.cookie }, signal: stopping.signal })
  expect((await open()).status).toBe(200)
  expect((await open()).status).toBe(429)
  stopping.abort()
})

test('long responses that a client does not read count towards the memory of its account', async () => {
  const [greedy, other] = [await api.register(), await api.register()]
  const tags = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`tag-${at}`, 'x'.repeat(256)]))
  const event = { accountId: await greedy.accountId(), userAgent: 'x'.repeat(4_000), tags }
  const events = Array.from({ length: 1_000 }, () => requestEvent(event))
  await storeEvents(api.clickhouse, events)
  const stopping = new AbortController()
  const open = async ({ cookie }: TestUser) =>
    (await fetch(`${apiUrl}/api/logs?limit=1000`, { headers: { cookie }, signal: stopping.signal })).status
  expect([await open(greedy), await open(greedy), await open(other)]).toEqual([200, 429, 200])
  stopping.abort()
  await expect.poll(async () => (await greedy.call('GET', '/api/logs?limit=1000')).statusCode).toBe(200)
})

test('row 75: bodies that a client does not finish count towards the memory of its account', async () => {
  const [greedy, other] = [await api.register(), await api.register()]
  const sockets: Socket[] = []
  const begin = ({ cookie }: TestUser, length: string) => {
    const socket = connect(Number(new URL(apiUrl).port), '127.0.0.1')
    sockets.push(socket)
    const head = [
      'PUT /api/user/photo HTTP/1.1',
      'Host: gateway.example',
      `Cookie: ${cookie}`,
      'Content-Type: image/png',
      length,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return once(socket, 'data').then(([data]) => String(data).slice(9, 12))
  }
  // As many as the limit allows, and one more.
  const begun = Array.from({ length: 5 }, () => begin(greedy, `Content-Length: ${2 * mib}`))
  expect(await Promise.race(begun)).toBe('429')
  expect(await begin(greedy, 'Transfer-Encoding: chunked')).toBe('429')
  expect((await other.call('PUT', '/api/user/photo', 'x', { 'content-type': 'image/png' })).statusCode).toBe(400)
  for (const socket of sockets) socket.destroy()
  const again = () => greedy.call('PUT', '/api/user/photo', 'x'.repeat(mib), { 'content-type': 'image/png' })
  await expect.poll(async () => (await again()).statusCode).toBe(400)
})

test('saving configurations is rate-limited', async () => {
  const user = await api.register()
  const save = () => user.call('POST', '/api/proxy/config', { baseUrl: 'http://127.0.0.1:1' })
  const statuses = []
  for (let time = 0; time < 32; time += 1) statuses.push((await save()).statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.slice(30)).toEqual([429, 429])
})

test('row 50: rejects a base URL of the gateway itself', async () => {
  const user = await api.register()
  const port = Number(new URL(apiUrl).port)
  for (const baseUrl of ['http://gateway.example', 'http://gateway.example/api/proxy/v1']) {
    const response = await user.call('POST', '/api/proxy/config', { baseUrl }, { host: 'gateway.example' })
    expect(response.json().errors).toEqual([
      { field: 'baseUrl', message: 'Base URL must lead to a provider, not to this gateway itself' },
    ])
  }
  const host = `localhost:${port}`
  for (const baseUrl of [`http://127.0.0.1:${port}`, `http://127.9.9.9:${port}/api/proxy/v1`]) {
    expect((await user.call('POST', '/api/proxy/config', { baseUrl }, { host })).statusCode).toBe(400)
  }
  const neighbour = { baseUrl: `http://127.0.0.1:${port + 1}` }
  expect((await user.call('POST', '/api/proxy/config', neighbour, { host })).statusCode).toBe(200)
})
