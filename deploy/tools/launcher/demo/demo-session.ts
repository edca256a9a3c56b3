import { z } from 'zod'
import { User } from '#schemas/account.ts'
import { ApiKey } from '#schemas/api-keys.ts'
import { type SentModelPrice, StoredModelPrice } from '#schemas/own-model-prices.ts'
import { RevealedSecureToken, SecureToken } from '#schemas/secure-tokens.ts'
import { type Call, openSession } from '#tools/launcher/http-session.ts'

const keyName = 'Sample provider'
const tokenNames = ['Support assistant', 'Nightly batch'] as const

/** For a provider missing from the built-in price list. */
const modelPrice: SentModelPrice = { pattern: 'mistral-*', input: 0.4, cachedInput: null, output: 2, perRequest: null }

interface Login {
  username: string
  password: string
}

export interface DemoSession {
  accountId: string
  call: Call
}

export interface DemoAccount {
  apiKeyId: string
  tokens: readonly [DemoToken, DemoToken]
}

interface DemoToken {
  id: string
  secret: string
}

/** Signs in to the demo account over HTTP, and registers it on the first start. */
export async function signIn(url: string, login: Login): Promise<DemoSession> {
  const call = openSession(url)
  const account = await call('POST', '/api/login', login).catch(() =>
    call('POST', '/api/register', { ...login, email: 'demo@example.com' }),
  )
  return { call, accountId: User.parse(account).id }
}

/** Gives the account a provider key, a model price and two tokens, unless they exist. */
export async function seedAccount({ call }: DemoSession, providerUrl: string): Promise<DemoAccount> {
  const keys = z.array(ApiKey).parse(await call('GET', '/api/keys'))
  if (keys.length === 0) await call('POST', '/api/proxy/config', { baseUrl: providerUrl })
  const key =
    keys[0] ?? ApiKey.parse(await call('POST', '/api/keys', { name: keyName, key: 'sk-sample-provider-demo' }))
  const prices = z.array(StoredModelPrice).parse(await call('GET', '/api/model-prices'))
  if (prices.length === 0) await call('POST', '/api/model-prices', modelPrice)
  const existing = z.array(SecureToken).parse(await call('GET', '/api/tokens'))
  const openToken = async (name: string): Promise<DemoToken> => {
    const { id } =
      existing.find((token) => token.name === name) ?? SecureToken.parse(await call('POST', '/api/tokens', { name }))
    return { id, secret: RevealedSecureToken.parse(await call('GET', `/api/tokens/${id}/reveal`)).token }
  }
  return { apiKeyId: key.id, tokens: [await openToken(tokenNames[0]), await openToken(tokenNames[1])] }
}
