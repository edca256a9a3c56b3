import { randomUUID } from 'node:crypto'
import OpenAI, { type ClientOptions } from 'openai'
import { v7 as uuidv7 } from 'uuid'
import type { Invalidate } from '#shared/invalidation.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import type { Sql } from '#core/stores/postgres.ts'
import type { CookieTokens } from '#shared/session-token.ts'
import type { Vault } from '#shared/vault.ts'
import { OwnModelPrice, type SentModelPrice } from '#schemas/own-model-prices.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import type { SaveProxyConfig } from '#schemas/proxy-config.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { apiKeyContext, createApiKeyStore } from '#store/postgres/credentials/api-keys.ts'
import { createModelPriceStore } from '#store/postgres/model-prices.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import { createProxyConfigStore } from '#store/postgres/proxy-configs.ts'
import { newTokenSecret } from '#store/postgres/credentials/new-token-secret.ts'
import {
  createSecureTokenStore,
  noRestrictions,
  type SecureTokenChanges,
} from '#store/postgres/credentials/secure-tokens.ts'

export interface TestAccountStores {
  sql: Sql
  vault: Vault
  invalidate: Invalidate
  sessionTokens: CookieTokens
}

/** A gateway's address, as passed to an SDK. */
type Gateway = { baseURL: string }

type Config = Partial<SaveProxyConfig>
type TokenOptions = SecureTokenChanges & { expiresAt?: Date | null }

export interface TestAccountOptions {
  plan?: PlanName
  config?: Config
  token?: TokenOptions
  /** Secrets of its provider keys, the primary first. */
  keys?: string[]
}

export type TestAccount = Awaited<ReturnType<typeof createTestAccount>>

const by = { clientAddress: null, userAgent: null }

const agreed = { isSession: true, isOrigin: true }

/** An account with a token and provider keys; gateways are notified of every change, as by the control plane. */
export async function createTestAccount(
  { sql, vault, invalidate, sessionTokens }: TestAccountStores,
  providerOrigin: string,
  { plan = 'enterprise', config = {}, token: tokenOptions, keys = ['sk-primary'] }: TestAccountOptions = {},
) {
  const accounts = createAccountStore(sql, invalidate)
  const operatorAccounts = createOperatorAccountStore(sql, invalidate)
  const plans = createPlanStore(sql, invalidate)
  const tokens = createSecureTokenStore(sql, invalidate, createPlanLimits({}))
  const apiKeys = createApiKeyStore(sql, invalidate)
  const configs = createProxyConfigStore(sql, invalidate)
  const prices = createModelPriceStore(sql, invalidate)

  const username = `u${randomUUID()}`
  const session = await sessionTokens.issue(3_600)
  const { id: accountId } = await accounts.register(
    {
      username,
      email: `${username}@example.com`,
      passwordHash: 'none',
      firstName: null,
      lastName: null,
      baseUrl: providerOrigin,
    },
    { ...by, idHash: session.idHash, device: 'test', network: 'test', deviceHash: session.idHash },
  )
  let baseUrl = config.baseUrl ?? providerOrigin
  await plans.set(accountId, plan, by)
  await configs.save(accountId, { rateLimitEnabled: false, retryAttempts: 0, ...config, baseUrl }, agreed, by)

  async function addToken({ expiresAt = null, ...changes }: TokenOptions = {}) {
    const id = uuidv7()
    const { token: text, secret } = newTokenSecret(vault, accountId, id)
    await tokens.create(accountId, { ...secret, ...noRestrictions, id, name: 'test', expiresAt }, by)
    if (Object.keys(changes).length > 0) await tokens.change(accountId, id, changes, by)
    return { id, secret: text }
  }

  async function addKey(secret: string, options: { isPrimary?: boolean; origin?: string } = {}) {
    const id = uuidv7()
    const { isPrimary = false, origin = new URL(baseUrl).origin } = options
    const sealedKey = vault.seal(secret, apiKeyContext(accountId, id, origin))
    await apiKeys.create(accountId, { id, name: 'test', origin, sealedKey, maskedKey: 'sk-…', isPrimary }, by)
    return id
  }

  const token = await addToken(tokenOptions)
  const keyIds: string[] = []
  for (const secret of keys) keyIds.push(await addKey(secret))
  const headers = { authorization: `Bearer ${token.secret}` }
  const fetchPath = (gateway: Gateway, path: string, init: RequestInit = {}) =>
    fetch(gateway.baseURL + path, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } })

  return {
    accountId,
    token,
    keyIds,
    headers,
    /** Cookie of the browser in which the owner is signed in. */
    cookie: `${sessionTokens.cookieName}=${session.token}`,
    sdk: (gateway: Gateway, options: ClientOptions = {}) =>
      new OpenAI({ apiKey: token.secret, baseURL: gateway.baseURL, maxRetries: 0, ...options }),
    fetch: fetchPath,
    post: (gateway: Gateway, path: string, body: RequestInit['body'], types = { 'content-type': 'application/json' }) =>
      fetchPath(gateway, path, { method: 'POST', body, headers: types }),
    /** A chat completion by plain fetch. */
    chat: (gateway: Gateway, body: object = {}, init: RequestInit = {}) =>
      fetchPath(gateway, '/chat/completions', {
        method: 'POST',
        body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }], ...body }),
        ...init,
        headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
      }),
    async configure(changes: Config) {
      baseUrl = changes.baseUrl ?? baseUrl
      await configs.save(accountId, { ...changes, baseUrl }, agreed, by)
    },
    addPrice: (price: SentModelPrice) => prices.create(accountId, OwnModelPrice.parse(price), by),
    setPlan: (name: PlanName) => plans.set(accountId, name, by),
    addToken,
    changeToken: (id: string, changes: SecureTokenChanges) => tokens.change(accountId, id, changes, by),
    /** @returns the new secret */
    async rotateToken(id: string, graceHours: number) {
      const { token: text, secret } = newTokenSecret(vault, accountId, id)
      await tokens.rotate(accountId, id, secret, graceHours, by)
      return text
    },
    logBodies: (id: string, hours: number) => tokens.logBodies(accountId, id, hours, by),
    listTokens: () => tokens.list(accountId),
    endPreviousSecret: (id: string) => tokens.endPrevious(accountId, id, by),
    removeToken: (id: string) => tokens.remove(accountId, id, by),
    disable: () => operatorAccounts.disable(accountId),
    enable: () => operatorAccounts.enable(accountId),
    addKey,
    removeKey: (id: string) => apiKeys.remove(accountId, id, by),
  }
}
