import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hour, minute } from '#core/units.ts'
import { product } from '#schemas/product.ts'
import { mintToken } from '#shared/secure-token.ts'
import { atOnce, errorOf, useTestBench } from './gateway.fixture.ts'
import { authorizedHead, codeIn, head, RawConnection } from './raw-http.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()
const gateways = [gateway, await bench.startGateway()]

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const setTime = (now: number) => void vi.useFakeTimers({ toFake: ['Date'], now })
/** Cached credentials become stale by this clock. */
const stopClock = () => void vi.spyOn(performance, 'now').mockReturnValue(performance.now())
function advanceClock(ms: number): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
}

const send = (account: TestAccount, secret = account.token.secret, to = gateway) =>
  account.fetch(to, '/models', { headers: { authorization: `Bearer ${secret}` } })
/** The statuses of one request through each gateway. */
const statuses = (account: TestAccount, secret = account.token.secret) =>
  Promise.all(gateways.map(async (each) => (await send(account, secret, each)).status))
const expectSoon = (account: TestAccount, status: number, secret = account.token.secret) =>
  expect.poll(() => statuses(account, secret)).toEqual([status, status])
const costOf = async (account: TestAccount) =>
  Number((await account.chat(gateway)).headers.get('x-sallyport-cost-usd') ?? Number.NaN)
const sendRaw = (bytes: string) => new RawConnection(gateway.port).send(bytes).end()
const statusOf = async (host: string, credential: string[]) => {
  const lines = [`Host: ${host}`, 'Connection: close', ...credential]
  return (await sendRaw(head('GET /api/proxy/v1/models HTTP/1.1', ...lines))).statuses[0]
}

describe('a change takes effect on all gateways, though what they cached would last', () => {
  beforeEach(stopClock)

  test.each<[string, (account: TestAccount) => Promise<unknown>, number]>([
    ['a token that is deleted', (account) => account.removeToken(account.token.id), 401],
    [
      'a token that is restricted',
      (account) => account.changeToken(account.token.id, { allowedAddresses: ['203.0.113.1'] }),
      403,
    ],
    ['the last key that is deleted', (account) => account.removeKey(account.keyIds[0]!), 400],
    ['a new primary key', (account) => account.addKey('sk-new.status=418', { isPrimary: true }), 418],
    [
      'a base URL of another origin, for which no key was entered',
      (account) => account.configure({ baseUrl: 'http://127.0.0.1:1' }),
      400,
    ],
  ])('%s', async (_what, change, status) => {
    const [account, other] = [await bench.createTestAccount(), await bench.createTestAccount()]
    for (const each of [account, other]) expect(await statuses(each)).toEqual([200, 200])
    await change(account)
    await expectSoon(account, status)
    expect(await statuses(other)).toEqual([200, 200])
  })

  test('a token that is switched off and on', async () => {
    const account = await bench.createTestAccount()
    for (const isActive of [true, false, true]) {
      await account.changeToken(account.token.id, { isActive })
      await expectSoon(account, isActive ? 200 : 401)
    }
  })

  test('an account that is disabled and enabled again', async () => {
    const account = await bench.createTestAccount()
    await expectSoon(account, 200)
    await account.disable()
    await expectSoon(account, 401)
    await account.enable()
    await expectSoon(account, 200)
  })

  test('a price of the account, and for no other account', async () => {
    const [owner, other] = [await bench.createTestAccount(), await bench.createTestAccount()]
    expect(await costOf(owner)).toBeLessThan(0.25)
    await owner.addPrice({ pattern: 'gpt-4o-*', input: 0, cachedInput: null, output: 0, perRequest: 0.25 })
    await expect.poll(() => costOf(owner)).toBe(0.25)
    expect(await costOf(other)).toBeLessThan(0.25)
  })

  test('a token that expires, without any notification', async () => {
    const expiresAt = new Date(Date.now() + hour)
    const account = await bench.createTestAccount({ token: { expiresAt } })
    setTime(expiresAt.getTime() - 1)
    expect(await statuses(account)).toEqual([200, 200])
    setTime(expiresAt.getTime())
    expect(await statuses(account)).toEqual([401, 401])
  })
})

const previousUse = async (account: TestAccount) => (await account.listTokens())[0]!.previousUsedAt

describe('a rotated token', () => {
  test('has two secrets until the previous one is ended', async () => {
    const account = await bench.createTestAccount()
    const { id, secret: previous } = account.token
    expect(await statuses(account)).toEqual([200, 200])
    const secret = await account.rotateToken(id, 1)
    await expectSoon(account, 200, secret)
    expect(await previousUse(account)).toBeNull()
    const [old, current] = [await send(account, previous), await send(account, secret)]
    expect([old.status, current.status]).toEqual([200, 200])
    await expect.poll(() => previousUse(account)).toBeInstanceOf(Date)
    const tags = async (response: Response) => (await bench.events.of(response)).tags
    expect([await tags(old), await tags(current)]).toEqual([{ 'sallyport.secret': 'previous' }, {}])

    await account.endPreviousSecret(id)
    await expectSoon(account, 401, previous)
    expect(await statuses(account, secret)).toEqual([200, 200])
  })

  test('has one secret once the grace time has passed, without any notification', async () => {
    const account = await bench.createTestAccount()
    const secret = await account.rotateToken(account.token.id, 1)
    const rotatedAt = Date.now()
    setTime(rotatedAt + hour - minute)
    await expectSoon(account, 200)
    setTime(rotatedAt + hour)
    await expectSoon(account, 401)
    expect(await statuses(account, secret)).toEqual([200, 200])
  })

  test('ends with both secrets when it is deleted', async () => {
    const account = await bench.createTestAccount()
    const secret = await account.rotateToken(account.token.id, 1)
    for (const each of [account.token.secret, secret]) expect(await statuses(account, each)).toEqual([200, 200])
    await account.removeToken(account.token.id)
    await expectSoon(account, 401)
    await expectSoon(account, 401, secret)
  })
})

describe('credentials', () => {
  test('row 36: whatever is wrong with a token, the response is the same', async () => {
    const account = await bench.createTestAccount()
    const off = await account.addToken({ isActive: false })
    const expired = await account.addToken({ expiresAt: new Date(Date.now() - 1) })
    const deleted = await account.addToken()
    await account.removeToken(deleted.id)
    const valid = account.token.secret
    const secrets = [
      off.secret,
      expired.secret,
      deleted.secret,
      mintToken(),
      mintToken(product.managementKeyPrefix),
      valid.slice(0, -1),
      `${valid}0`,
      valid.toLowerCase(),
      `sk-${valid.slice(3)}`,
      'st_',
      'x',
      "st_'; drop table secure_tokens; --".replaceAll(' ', ''),
      'a'.repeat(4_000),
    ]
    const seen = await atOnce(secrets.length, async (index) => {
      const response = await send(account, secrets[index])
      expect(response.headers.get('x-request-id')).toMatch(/-7/)
      const names = [...response.headers.keys()].filter((name) => name !== 'date')
      return JSON.stringify([response.status, await response.json(), names])
    })
    expect(new Set(seen).size).toBe(1)
    expect(JSON.parse(seen[0]!)).toMatchObject([
      401,
      { error: { code: 'invalid_token', param: null } },
      expect.any(Array),
    ])
  })

  test.each([undefined, 'Basic eDp5', 'Bearer', 'Bearer ', 'Token abc', 'Bearer a b'])(
    'a header without a token is 401: %s',
    async (authorization) => {
      const lines = authorization === undefined ? [] : [`Authorization: ${authorization}`]
      const request = head('GET /api/proxy/v1/models HTTP/1.1', 'Host: gateway', 'Connection: close', ...lines)
      const { statuses: received, text } = await sendRaw(request)
      expect([received, codeIn(text)]).toEqual([[401], 'missing_token'])
    },
  )

  test('row 4: two Authorization headers are 400, also when they are the same', async () => {
    const { secret } = (await bench.createTestAccount()).token
    for (const second of [`Bearer ${secret}`, 'Bearer other', 'Basic eDp5', '']) {
      const lines = [`authorization: ${second}`, 'Connection: close']
      const { statuses: received, text } = await sendRaw(authorizedHead('GET /api/proxy/v1/models', secret, ...lines))
      expect([received, codeIn(text)]).toEqual([[400], 'ambiguous_credentials'])
    }
  })

  test('row 59: a token works under any name of this server, a session under its own only', async () => {
    const { headers, cookie } = await bench.createTestAccount()
    const token = [`Authorization: ${headers.authorization}`]
    const session = [`Cookie: ${cookie}`, 'X-Sallyport-Tester: 1']
    for (const host of ['localhost:3000', '127.0.0.1']) expect(await statusOf(host, session)).toBe(200)
    for (const host of ['evil.test', 'localhost.evil.test:3000']) {
      expect([await statusOf(host, session), await statusOf(host, token)]).toEqual([421, 200])
    }
  })

  test('the scheme may be in any case', async () => {
    const account = await bench.createTestAccount()
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const headers = { authorization: `${scheme} ${account.token.secret}` }
      expect((await account.fetch(gateway, '/models', { headers })).status).toBe(200)
    }
  })
})

describe('Postgres', () => {
  test.each(['gone', 'frozen'])('%s: known tokens still work, unknown ones get 503', async (how) => {
    const account = await bench.createTestAccount()
    const unknown = await account.addToken()
    // Only now: a notification of the creation during the look-up would keep the gateway from caching the token.
    const { wire, gateway: isolated } = await bench.startBreakableGateway('POSTGRES_URL')
    expect((await send(account, account.token.secret, isolated)).status).toBe(200)
    if (how === 'gone') await wire.close()
    else wire.set('freeze')

    const sendEach = async () => {
      const [known, rejected, guessed] = await Promise.all([
        send(account, account.token.secret, isolated),
        send(account, unknown.secret, isolated),
        send(account, 'st_guessed', isolated),
      ])
      expect(known.status).toBe(200)
      expect(await errorOf(rejected)).toEqual([503, 'unavailable'])
      // Row 30: a malformed token is rejected without a query.
      expect(guessed.status).toBe(401)
    }
    await sendEach()
    // By then the cached credential is stale.
    advanceClock(minute)
    await sendEach()
    if (how === 'gone') return
    wire.set('pass')
    await expect.poll(async () => (await send(account, unknown.secret, isolated)).status).toBe(200)
  })

  test('slow: the request of a client that leaves meanwhile is not sent to the provider', async () => {
    const { wire, gateway: isolated } = await bench.startBreakableGateway('POSTGRES_URL')
    const account = await bench.createTestAccount({ keys: ['sk-left'] })
    wire.set('freeze')
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] })
    const { secret } = account.token
    const connection = new RawConnection(isolated.port).send(
      authorizedHead('POST /api/proxy/v1/chat/completions', secret, `Content-Length: ${body.length}`) + body,
    )
    await setTimeout(200)
    connection.close()
    await setTimeout(1_000)
    wire.set('pass')
    expect((await send(account, secret, isolated)).status).toBe(200)
    expect(bench.provider.received.filter(({ key }) => key === 'sk-left').map(({ url }) => url)).toEqual(['/v1/models'])
  })
})
