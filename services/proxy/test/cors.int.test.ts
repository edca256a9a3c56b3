import { describe, expect, test } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'
import { jsonResponse } from './raw-upstream.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()
const origin = 'https://app.example.com'
const strict = await bench.startGateway({ env: { CORS_ORIGINS: `${origin}, https://other.example` } })
const { account, upstream } = await bench.createAccountWithUpstream((socket) =>
  socket.write(jsonResponse(undefined, 'vary: accept')),
)
const corsHeadersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const preflight = (from: string, at = gateway, requested?: string) =>
  fetch(`${at.baseURL}/chat/completions`, {
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': 'POST',
      ...(requested && { 'access-control-request-headers': requested }),
    },
  })
const granted = (allowOrigin: string) => ({
  'access-control-allow-origin': allowOrigin,
  'access-control-expose-headers': '*',
})

test('a preflight needs no token, and does not reach the provider', async () => {
  const before = upstream.heads.length
  const response = await preflight(origin, gateway, 'authorization, x-stainless-lang')
  expect(response.status).toBe(204)
  expect(corsHeadersOf(response)).toEqual({
    ...granted('*'),
    'access-control-allow-headers': 'authorization, x-stainless-lang',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE',
    'access-control-max-age': '86400',
  })
  expect(upstream.heads).toHaveLength(before)
})

test('OPTIONS that is no preflight is proxied', async () => {
  const before = upstream.heads.length
  expect((await account.fetch(gateway, '/things', { method: 'OPTIONS', headers: { origin } })).status).toBe(200)
  expect(upstream.heads).toHaveLength(before + 1)
})

describe('responses to another origin can be read', () => {
  const headers = { origin }
  test.each([
    ['a response', 200, () => account.fetch(gateway, '/things', { headers })],
    ['an error without a token', 401, () => fetch(`${gateway.baseURL}/things`, { headers })],
    ['an error of the path', 400, () => account.fetch(gateway, '/%2e%2e%2fthings', { headers })],
  ])('%s', async (_what, status, get) => {
    const response = await get()
    expect([response.status, corsHeadersOf(response)]).toEqual([status, granted('*')])
  })

  test('but a request without Origin has no such headers', async () => {
    expect(corsHeadersOf(await account.fetch(gateway, '/things'))).toEqual({})
  })
})

describe('CORS_ORIGINS narrows it', () => {
  test('to the origins that it names', async () => {
    const allowed = await preflight(origin, strict)
    expect(corsHeadersOf(allowed)).toMatchObject(granted(origin))
    const response = await account.fetch(strict, '/things', { headers: { origin } })
    expect([response.headers.get('vary'), corsHeadersOf(response)]).toEqual(['accept, origin', granted(origin)])
  })

  test('also for responses from the cache', async () => {
    const { account: caching } = await bench.createAccountWithUpstream(
      (socket) => socket.write(jsonResponse('{}', 'vary: accept')),
      { config: { cacheSeconds: 60 } },
    )
    for (const cacheStatus of ['miss', 'hit']) {
      const { headers } = await caching.chat(strict, {}, { headers: { origin } })
      expect([headers.get('x-sallyport-cache'), headers.get('vary')]).toEqual([cacheStatus, 'accept, origin'])
    }
  })

  test.each(['https://evil.example', 'null', `${origin}.evil.example`, 'http://app.example.com'])(
    'and %s gets nothing',
    async (from) => {
      const rejected = await preflight(from, strict)
      expect([rejected.status, rejected.headers.get('vary'), corsHeadersOf(rejected)]).toEqual([204, 'origin', {}])
    },
  )
})

test('the control plane has none', async () => {
  const { url } = await fetch(`${gateway.origin}/api/proxy`)
  for (const method of ['OPTIONS', 'GET']) {
    const headers = { origin, 'access-control-request-method': 'POST' }
    expect(corsHeadersOf(await fetch(url, { method, headers }))).toEqual({})
    expect(corsHeadersOf(await fetch(`${gateway.origin}/api/config`, { method, headers }))).toEqual({})
  }
})
