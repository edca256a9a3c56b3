import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { type RawUpstream, startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

const page = '<script>fetch("/api/tokens")</script>'
let type: string
let bench: TestBench
let gateway: Gateway
let upstream: RawUpstream
let account: TestAccount
beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
  upstream = await startRawUpstream((socket) =>
    socket.write(
      [
        'HTTP/1.1 200 OK',
        `content-type: ${type}`,
        "content-security-policy: default-src 'self' 'unsafe-inline'",
        'x-content-type-options: none',
        `content-length: ${page.length}`,
        '',
        page,
      ].join('\r\n'),
    ),
  )
  account = await bench.createTestAccount({ config: { baseUrl: upstream.origin, cacheSeconds: 60 } })
})
afterAll(async () => {
  await bench.stop()
  await upstream.stop()
})

const ask = (headers: Record<string, string>, method = 'GET') =>
  fetch(`${gateway.baseURL}/models`, { method, headers: { cookie: account.cookie, ...headers } })

function expectInert({ headers }: Response) {
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
}

describe('row 54: what a provider sends is never a page of ours', () => {
  test.each(['text/html', 'image/svg+xml', 'application/json', 'text/event-stream'])('%s', async (sent) => {
    type = sent
    const response = await account.fetch(gateway, '/anything')
    expect(response.status).toBe(200)
    expectInert(response)
  })

  test('nor is it from the cache', async () => {
    type = 'text/html'
    for (const cached of ['miss', 'hit']) {
      const response = await account.fetch(gateway, '/models')
      expect(response.headers.get('x-sallyport-cache')).toBe(cached)
      expectInert(response)
    }
  })

  test('nor is an error response', async () => {
    const paths = ['/models', '/a%2fb', `/${'x'.repeat(20_000)}`]
    const responses = await Promise.all(paths.map((path) => fetch(gateway.baseURL + path)))
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 414])
    for (const response of responses) expectInert(response)
  })
})

describe('row 54: a session counts for the request tester alone', () => {
  const tester = { 'x-sallyport-tester': '1' }

  test.each<[string, Record<string, string>]>([
    ['without what browsers say of a call', {}],
    ['of this origin', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
    ['typed in', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['by a script that does not say what it is', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['by a script of another site', { ...tester, 'sec-fetch-site': 'cross-site' }],
    ['by a script of another site that browsers say less of', { ...tester, origin: 'http://evil.test' }],
    ['by a page without an origin', { ...tester, origin: 'null' }],
  ])('a call %s is 401', async (_call, headers) => {
    for (const method of ['GET', 'POST']) expect((await ask(headers, method)).status).toBe(401)
  })

  test('its own call goes through', async () => {
    type = 'application/json'
    expect((await ask({ ...tester, 'sec-fetch-site': 'same-origin' }, 'POST')).status).toBe(200)
    expect((await ask({ ...tester, origin: gateway.origin }, 'POST')).status).toBe(200)
    expect((await ask(tester)).status).toBe(200)
    expect(upstream.heads.at(-1)).not.toContain('x-sallyport-tester')
  })
})
