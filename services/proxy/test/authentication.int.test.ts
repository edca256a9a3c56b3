import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mintToken } from '#shared/secure-token.ts'
import { startTcpProxy, type TcpProxy } from '#tools/stack/tcp-proxy.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { head, RawConnection } from './raw-http.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

let bench: TestBench
let gateways: Gateway[]
beforeAll(async () => {
  bench = await openTestBench()
  gateways = [await bench.startGateway(), await bench.startGateway()]
})
afterAll(() => bench.stop())

const ask = (account: TestAccount, secret = account.token.secret, gateway = gateways[0]!) =>
  account.fetch(gateway, '/models', { headers: { authorization: `Bearer ${secret}` } })
const bodyOf = async (answer: Response) => [answer.status, await answer.json()] as const
const askAll = async (account: TestAccount) =>
  Promise.all(gateways.map(async (gateway) => (await ask(account, account.token.secret, gateway)).status))

describe('a change works within a second on all gateways', () => {
  const changes: Record<string, { change: (account: TestAccount) => Promise<unknown>; status: number }> = {
    'a token that is switched off': {
      change: (account) => account.changeToken(account.token.id, { isActive: false }),
      status: 401,
    },
    'a token that is deleted': { change: (account) => account.removeToken(account.token.id), status: 401 },
    'a token that gets bounds': {
      change: (account) => account.changeToken(account.token.id, { allowedAddresses: ['203.0.113.1'] }),
      status: 403,
    },
    'the last key that is deleted': { change: (account) => account.removeKey(account.keyIds[0]!), status: 400 },
    'a new primary key': { change: (account) => account.addKey('sk-new.status=418', { isPrimary: true }), status: 418 },
    'a base URL of another origin, for which no key was entered': {
      change: (account) => account.configure({ baseUrl: 'http://127.0.0.1:1' }),
      status: 400,
    },
  }
  test.each(Object.keys(changes))('%s', async (name) => {
    const account = await bench.createTestAccount()
    expect(await askAll(account)).toEqual([200, 200])
    const { change, status } = changes[name]!
    await change(account)
    await expect.poll(() => askAll(account), { timeout: 1_000, interval: 50 }).toEqual([status, status])
  })

  test('a token that is switched on again', async () => {
    const account = await bench.createTestAccount({ token: { isActive: false } })
    expect(await askAll(account)).toEqual([401, 401])
    await account.changeToken(account.token.id, { isActive: true })
    await expect.poll(() => askAll(account), { timeout: 1_000 }).toEqual([200, 200])
  })

  test('a token that expires, without anybody telling', async () => {
    const expiresAt = new Date(Date.now() + 3_000)
    const account = await bench.createTestAccount({ token: { expiresAt } })
    expect(await askAll(account)).toEqual([200, 200])
    await expect.poll(() => askAll(account)).toEqual([401, 401])
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime())
  })

  test('and the change of one account leaves the others alone', async () => {
    const [one, other] = [await bench.createTestAccount(), await bench.createTestAccount()]
    expect([await askAll(one), await askAll(other)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    await one.removeToken(one.token.id)
    await expect.poll(() => askAll(one), { timeout: 1_000 }).toEqual([401, 401])
    expect(await askAll(other)).toEqual([200, 200])
  })
})

/** Of a request that is sent to a name. */
const statusOf = async (host: string, ...credential: string[]) => {
  const connection = new RawConnection(gateways[0]!.port)
  connection.send(head('GET /api/proxy/v1/models HTTP/1.1', `Host: ${host}`, 'Connection: close', ...credential))
  await connection.end()
  return connection.statuses[0]
}

describe('credentials', () => {
  test('row 36: whatever is wrong with a token, the answer is the same', async () => {
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
      valid.slice(0, -1),
      `${valid}0`,
      valid.toLowerCase(),
      `sk-${valid.slice(3)}`,
      'st_',
      'x',
      "st_'; drop table secure_tokens; --".replaceAll(' ', ''),
      'a'.repeat(4_000),
    ]
    const answers = await Promise.all(secrets.map((secret) => ask(account, secret)))
    const seen = await Promise.all(
      answers.map(async (answer) => {
        const names = [...answer.headers.keys()].filter((name) => name !== 'date')
        return JSON.stringify([...(await bodyOf(answer)), names])
      }),
    )
    expect(new Set(seen).size).toBe(1)
    expect(JSON.parse(seen[0]!)).toMatchObject([
      401,
      { error: { code: 'invalid_token', param: null } },
      expect.any(Array),
    ])
    expect(answers[0]!.headers.get('x-request-id')).toMatch(/-7/)
  })

  test.each([undefined, 'Basic eDp5', 'Bearer', 'Bearer ', 'Token abc', 'Bearer a b'])(
    'a header that carries no token is 401: %s',
    async (authorization) => {
      const connection = new RawConnection(gateways[0]!.port)
      const lines = ['GET /api/proxy/v1/models HTTP/1.1', 'Host: gateway', 'Connection: close']
      connection.send(head(...lines, ...(authorization === undefined ? [] : [`Authorization: ${authorization}`])))
      await connection.end()
      expect(connection.statuses).toEqual([401])
      expect(connection.text).toContain('"code":"missing_token"')
    },
  )

  test('row 4: two Authorization headers are 400, also when they are the same', async () => {
    const { token } = await bench.createTestAccount()
    for (const second of [`Bearer ${token.secret}`, 'Bearer other', 'Basic eDp5', '']) {
      const connection = new RawConnection(gateways[0]!.port)
      connection.send(
        head(
          'GET /api/proxy/v1/models HTTP/1.1',
          'Host: gateway',
          `Authorization: Bearer ${token.secret}`,
          `authorization: ${second}`,
          'Connection: close',
        ),
      )
      await connection.end()
      expect(connection.statuses).toEqual([400])
      expect(connection.text).toContain('"code":"ambiguous_credentials"')
    }
  })

  test('row 59: a token counts under any name of this server, a session under its own only', async () => {
    const { token, cookie } = await bench.createTestAccount()
    const session = [`Cookie: ${cookie}`, 'X-Sallyport-Tester: 1']
    for (const host of ['localhost:3000', '127.0.0.1']) expect(await statusOf(host, ...session)).toBe(200)
    for (const host of ['evil.test', 'localhost.evil.test:3000']) {
      expect(await statusOf(host, ...session)).toBe(421)
      expect(await statusOf(host, `Authorization: Bearer ${token.secret}`)).toBe(200)
    }
  })

  test('the scheme may be written as one likes', async () => {
    const account = await bench.createTestAccount()
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const headers = { authorization: `${scheme} ${account.token.secret}` }
      expect((await account.fetch(gateways[0]!, '/models', { headers })).status).toBe(200)
    }
  })
})

describe('Postgres', () => {
  const wires: TcpProxy[] = []
  afterAll(() => Promise.all(wires.map((wire) => wire.close())))

  async function startWired(): Promise<{ wire: TcpProxy; gateway: Gateway }> {
    const url = new URL(bench.urls.postgres)
    const wire = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    wires.push(wire)
    url.hostname = '127.0.0.1'
    url.port = String(wire.port)
    return { wire, gateway: await bench.startGateway({ env: { POSTGRES_URL: url.href } }) }
  }

  test.concurrent.each(['gone', 'frozen'])('%s: who is known goes on, who is not gets 503', async (how) => {
    const account = await bench.createTestAccount()
    const unknown = await account.addToken()
    // Only now: a message of its creation that came during the look-up would keep the gateway from knowing it.
    const { wire, gateway } = await startWired()
    expect((await ask(account, account.token.secret, gateway)).status).toBe(200)
    if (how === 'gone') await wire.close()
    else wire.set('freeze')

    const askAround = async () => {
      const [known, refused, guessed] = await Promise.all([
        ask(account, account.token.secret, gateway),
        ask(account, unknown.secret, gateway),
        ask(account, 'st_guessed', gateway),
      ])
      expect(known.status).toBe(200)
      expect(await bodyOf(refused)).toMatchObject([503, { error: { code: 'unavailable' } }])
      // Row 30: what can't be a token is refused without a query.
      expect(guessed.status).toBe(401)
    }
    await askAround()
    // What is held is no longer fresh by now.
    await setTimeout(5_200)
    await askAround()
    if (how === 'frozen') {
      wire.set('pass')
      let status = 0
      for (const end = Date.now() + 5_000; status !== 200 && Date.now() < end; await setTimeout(100)) {
        status = (await ask(account, unknown.secret, gateway)).status
      }
      expect(status).toBe(200)
    }
  })

  test('slow: a look-up holds, although another account changes meanwhile', async () => {
    const [account, other] = [await bench.createTestAccount(), await bench.createTestAccount()]
    const { wire, gateway } = await startWired()
    wire.set('freeze')
    const answer = ask(account, account.token.secret, gateway)
    await setTimeout(200)
    await other.configure({ retryAttempts: 1 })
    await setTimeout(200)
    wire.set('pass')
    expect((await answer).status).toBe(200)
    await wire.close()
    expect((await ask(account, account.token.secret, gateway)).status).toBe(200)
  })

  test('slow: a client that leaves meanwhile is not sent to the provider any more', async () => {
    const { wire, gateway } = await startWired()
    const account = await bench.createTestAccount({ keys: ['sk-left'] })
    wire.set('freeze')
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] })
    const connection = new RawConnection(gateway.port).send(
      head(
        'POST /api/proxy/v1/chat/completions HTTP/1.1',
        'Host: gateway',
        `Authorization: Bearer ${account.token.secret}`,
        `Content-Length: ${body.length}`,
      ) + body,
    )
    await setTimeout(200)
    connection.close()
    await setTimeout(100)
    wire.set('pass')
    expect((await ask(account, account.token.secret, gateway)).status).toBe(200)
    expect(bench.provider.received.filter(({ key }) => key === 'sk-left').map(({ url }) => url)).toEqual(['/v1/models'])
  })
})
