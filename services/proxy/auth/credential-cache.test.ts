import { randomBytes } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { hashTokenText, mintToken } from '#shared/secure-token.ts'
import { createVault } from '#shared/vault.ts'
import { hour, second } from '#core/units.ts'
import type { Credential, CredentialStore } from '#store/postgres/credentials/credentials.ts'
import { CredentialCache } from './credential-cache.ts'

afterEach(() => void vi.useRealTimers())

const found = { accountId: 'a', isActive: true, expiresAt: null, keys: [], allowedAddresses: null, modelPrices: [] }
const credential = { ...found, baseUrl: 'https://api.example' } as unknown as Credential

const openCache = (findByTokenHash: (hash: Buffer) => Promise<Credential>) =>
  new CredentialCache({ findByTokenHash } as CredentialStore, createVault(new Map([[1, randomBytes(32)]])), [])

test('a credential is looked up again after 5 s, even if the clock was set back', async () => {
  vi.useFakeTimers()
  const cache = openCache(async () => credential)
  const token = mintToken()
  await cache.find(token)
  vi.setSystemTime(Date.now() - hour)
  expect(cache.peek(token)).toMatchObject({ accountId: 'a' })
  vi.advanceTimersByTime(6 * second)
  expect(cache.peek(token)).toBeUndefined()
})

test('while Postgres does not respond, a cached credential is used after a moment, then at once for 5 s', async () => {
  vi.useFakeTimers()
  const findByTokenHash = vi.fn(async () => credential)
  const cache = openCache(findByTokenHash)
  const token = mintToken()
  await cache.find(token)
  findByTokenHash.mockReturnValue(new Promise(() => undefined))
  vi.advanceTimersByTime(6 * second)
  const account = cache.find(token)
  await vi.advanceTimersByTimeAsync(200)
  expect(await Promise.race([account, 'waits'])).toMatchObject({ accountId: 'a' })
  await vi.advanceTimersByTimeAsync(2 * second)
  expect(cache.peek(token)).toMatchObject({ accountId: 'a' })
})

test.each(['a', undefined])('a change of account %s ends what is cached', async (changed) => {
  const cache = openCache(async () => credential)
  const token = mintToken()
  await cache.find(token)
  cache.forget(changed)
  expect(cache.peek(token)).toBeUndefined()
})

test.each([
  ['a', false],
  [undefined, false],
  ['another', true],
])('a look-up that began before a change of account %s is cached: %s', async (changed, isCached) => {
  const cache = openCache(async () => credential)
  const token = mintToken()
  const pending = cache.find(token)
  cache.forget(changed)
  await pending
  expect(cache.peek(token) !== undefined).toBe(isCached)
})

test('row 74: unknown tokens of one client delay neither those of others nor cached credentials', async () => {
  let isStuck = false
  const lookedUp: string[] = []
  const cache = openCache((hash) => {
    lookedUp.push(hash.toString('base64'))
    return isStuck ? new Promise(() => undefined) : Promise.resolve(credential)
  })
  const [cached, other] = [mintToken(), mintToken()]
  await cache.find(cached)
  isStuck = true
  for (let guess = 0; guess < 50; guess += 1) cache.find(mintToken(), '192.0.2.1').catch(() => undefined)
  cache.find(other, '192.0.2.2').catch(() => undefined)
  cache.find(cached, '192.0.2.1').catch(() => undefined)
  await vi.waitFor(() => expect(lookedUp).toHaveLength(5))
  const known = [cached, other].map(hashTokenText)
  expect(lookedUp.map((hash) => known.indexOf(hash)).toSorted()).toEqual([-1, -1, 0, 0, 1])
})

test('row 74: requests of a session delay no look-up of a token', async () => {
  const findBySessionHash = vi.fn(() => new Promise<never>(() => undefined))
  const store = { findBySessionHash, findByTokenHash: async () => credential } as unknown as CredentialStore
  const cache = new CredentialCache(store, createVault(new Map([[1, randomBytes(32)]])), [])
  for (let count = 0; count < 50; count += 1) cache.findSession(Buffer.from('a')).catch(() => undefined)
  expect(await cache.find(mintToken(), '192.0.2.1')).toMatchObject({ accountId: 'a' })
  expect(findBySessionHash).toHaveBeenCalledTimes(2)
})
