import { randomBytes } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { mintToken } from '#shared/secure-token.ts'
import { createVault } from '#shared/vault.ts'
import { hour, second } from '#core/units.ts'
import type { Credential, CredentialStore } from '#store/postgres/credentials/credentials.ts'
import { CredentialCache } from './credential-cache.ts'

afterEach(() => void vi.useRealTimers())

const found = { accountId: 'a', isActive: true, expiresAt: null, keys: [], allowedAddresses: null, modelPrices: [] }
const credential = { ...found, baseUrl: 'https://api.example' } as unknown as Credential

test('a credential is looked up again after 5 s, even if the clock was set back', async () => {
  vi.useFakeTimers()
  const store = { findByTokenHash: async () => credential } as unknown as CredentialStore
  const cache = new CredentialCache(store, createVault(new Map([[1, randomBytes(32)]])), [])
  const token = mintToken()
  await cache.find(token)
  vi.setSystemTime(Date.now() - hour)
  expect(cache.peek(token)).toMatchObject({ accountId: 'a' })
  vi.advanceTimersByTime(6 * second)
  expect(cache.peek(token)).toBeUndefined()
})
