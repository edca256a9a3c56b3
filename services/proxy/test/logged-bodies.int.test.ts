import { gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { hour } from '#core/units.ts'
import { keptBodyBytes } from '#schemas/request-logs.ts'
import { useTestBench } from './gateway.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()
afterEach(() => void vi.useRealTimers())

async function isLogged(account: TestAccount, secret = account.token.secret) {
  const response = await account.chat(gateway, {}, { headers: { authorization: `Bearer ${secret}` } })
  await response.text()
  const { requestBody, responseBody } = await bench.events.of(response)
  return [requestBody !== null, responseBody !== null]
}

test('bodies of one token are logged for an hour and not a millisecond longer, though the account logs none', async () => {
  const account = await bench.createTestAccount()
  const other = await account.addToken()
  expect(await isLogged(account)).toEqual([false, false])
  const { logBodiesUntil } = (await account.logBodies(account.token.id, 1))!
  await expect.poll(() => isLogged(account)).toEqual([true, true])
  expect(await isLogged(account, other.secret)).toEqual([false, false])

  // The account stays cached: nothing tells the proxy that the time is over.
  const now = logBodiesUntil!.getTime() - 1
  vi.useFakeTimers({ toFake: ['Date'], now })
  expect(await isLogged(account)).toEqual([true, true])
  vi.setSystemTime(now + 1)
  expect(await isLogged(account)).toEqual([false, false])
  vi.setSystemTime(now + hour)
  expect(await isLogged(account)).toEqual([false, false])
})

test('bodies of one token are logged no longer once that is ended, unless the account logs them', async () => {
  const account = await bench.createTestAccount({ config: { logBodies: true } })
  await account.logBodies(account.token.id, 24)
  await account.logBodies(account.token.id, 0)
  expect(await isLogged(account)).toEqual([true, true])
  await account.configure({ logBodies: false })
  await expect.poll(() => isLogged(account)).toEqual([false, false])
})

test('a longer body is cut, and the log has its whole size; an encoded one is not logged', async () => {
  const account = await bench.createTestAccount({ config: { logBodies: true } })
  const body = JSON.stringify({ model: 'gpt-4o-mini', padding: 'x'.repeat(keptBodyBytes) })
  const cut = await bench.events.of(await account.post(gateway, '/chat/completions', body))
  expect(cut).toMatchObject({ requestBytes: body.length, requestBody: body.slice(0, keptBodyBytes) })
  const types = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const encoded = await bench.events.of(await account.post(gateway, '/things', gzipSync(body), types))
  expect(encoded.requestBody).toBeNull()
})
