import { describe, expect, test } from 'vitest'
import { accountHeader } from '#schemas/account.ts'
import { cacheStatusOf, errorOf, useTestBench } from './gateway.fixture.ts'
import { okHead } from './raw-upstream.fixture.ts'

const page = '<script>fetch("/api/tokens")</script>'
let type: string
const bench = await useTestBench()
const gateway = await bench.startGateway()
const { account, upstream } = await bench.createAccountWithUpstream(
  (socket) => {
    const csp = "content-security-policy: default-src 'self' 'unsafe-inline'"
    const headers = [`content-type: ${type}`, csp, 'x-content-type-options: none', `content-length: ${page.length}`]
    socket.write(okHead(...headers) + page)
  },
  { config: { cacheSeconds: 60 } },
)

const sendFromBrowser = (headers: Record<string, string>, method = 'GET') =>
  fetch(`${gateway.baseURL}/models`, { method, headers: { cookie: account.cookie, ...headers } })

function expectInert({ headers }: Response) {
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
}

describe('row 54: a response of a provider is never a document of this origin', () => {
  test.each(['text/html', 'image/svg+xml', 'application/json', 'text/event-stream'])('%s', async (sent) => {
    type = sent
    const response = await account.fetch(gateway, '/anything')
    expect(response.status).toBe(200)
    expectInert(response)
  })

  test('nor is a cached response', async () => {
    type = 'text/html'
    for (const cached of ['miss', 'hit']) {
      const response = await account.fetch(gateway, '/models')
      expect(cacheStatusOf(response)).toBe(cached)
      expectInert(response)
    }
  })

  test('nor is an error response', async () => {
    const paths = ['/models', '/a%2e%2eb', `/${'x'.repeat(20_000)}`]
    const responses = await Promise.all(paths.map((path) => fetch(gateway.baseURL + path)))
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 414])
    for (const response of responses) expectInert(response)
  })
})

describe('row 54: a session is accepted from the request tester only', () => {
  const tester = { 'x-sallyport-tester': '1' }

  test.each<[string, Record<string, string>]>([
    ['without fetch metadata', {}],
    ['that navigates within this origin', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
    ['from the address bar', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['of another script of this origin', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['of another site', { ...tester, 'sec-fetch-site': 'cross-site' }],
    ['of another site, without fetch metadata', { ...tester, origin: 'http://evil.test' }],
    ['of a page without an origin', { ...tester, origin: 'null' }],
  ])('a request %s is 401', async (_request, headers) => {
    for (const method of ['GET', 'POST']) expect((await sendFromBrowser(headers, method)).status).toBe(401)
  })

  test('its own request is accepted', async () => {
    type = 'application/json'
    expect((await sendFromBrowser({ ...tester, 'sec-fetch-site': 'same-origin' }, 'POST')).status).toBe(200)
    expect((await sendFromBrowser({ ...tester, origin: gateway.origin }, 'POST')).status).toBe(200)
    expect((await sendFromBrowser(tester)).status).toBe(200)
    expect(upstream.heads.at(-1)).not.toContain('x-sallyport-tester')
  })

  test.each<[string, (accountId: string) => PromiseLike<unknown>]>([
    ['has expired', (id) => bench.sql`update sessions set expires_at = now() where account_id = ${id}`],
    [
      'was idle for more than a week',
      (id) => bench.sql`update sessions set last_seen_at = now() - interval '8 days' where account_id = ${id}`,
    ],
    ['is of a disabled account', (id) => bench.sql`update accounts set disabled_at = now() where id = ${id}`],
  ])('its own request is rejected if the session %s', async (_what, end) => {
    const { accountId, cookie } = await bench.createTestAccount()
    expect((await sendFromBrowser({ ...tester, cookie })).status).toBe(200)
    await end(accountId)
    expect((await sendFromBrowser({ ...tester, cookie })).status).toBe(401)
  })

  test('its own request is rejected once another account has signed in', async () => {
    const { accountId } = await bench.createTestAccount()
    expect((await sendFromBrowser({ ...tester, [accountHeader]: account.accountId })).status).toBe(200)
    const rejected = await sendFromBrowser({ ...tester, [accountHeader]: accountId })
    expect(await errorOf(rejected)).toEqual([409, 'other_account'])
  })
})
