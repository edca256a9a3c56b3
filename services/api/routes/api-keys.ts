import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { ApiKey, ApiKeyState, CreateApiKey, CreatedApiKey, RenameApiKey } from '#schemas/api-keys.ts'
import { ProxyTestResult } from '#schemas/proxy-config.ts'
import { maskSecret } from '#schemas/secrets.ts'
import { requireFound } from '#core/problem.ts'
import { isoTime } from '#core/period.ts'
import { second } from '#core/units.ts'
import type { Vault } from '#shared/vault.ts'
import { apiKeyContext, type ApiKeyRow, type ApiKeyStore } from '#store/postgres/credentials/api-keys.ts'
import type { ProxyConfigStore } from '#store/postgres/proxy-configs.ts'
import { unused, type Usage, type UsageStore } from '#store/clickhouse/usage.ts'
import type { KeyState, KeyStateStore, ObservedLimits } from '#store/redis/key-states.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { failedTestText, type ProviderCheck } from '../credentials/provider-check.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { withFallback } from '../with-fallback.ts'
import { addDeleteRoute } from './add-delete-route.ts'
import { IdParams } from './id-params.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface ApiKeyRouteOptions {
  apiKeys: ApiKeyStore
  states: KeyStateStore
  configs: ProxyConfigStore
  usage: UsageStore
  vault: Vault
  provider: ProviderCheck
  throttle: Throttle
}

/** How long adding a key waits for the provider's check. */
const checkMs = 5 * second

/** Provider keys. No response contains the secret. Source: product.md 8.6. */
export const apiKeyRoutes = signedInRoutes<ApiKeyRouteOptions>(async (app, options) => {
  const { apiKeys, states, configs, usage, vault, provider, throttle } = options

  const usageOf = ({ user, log }: FastifyRequest) =>
    withFallback(usage.byCredential(user.id, 'api_key_id'), new Map(), log, 'usage is unavailable')

  const originOf = async (accountId: string) => new URL((await configs.get(accountId)).baseUrl).origin

  /** @param current origin of the base URL: keys of another one are not used, nor are those that can't be decrypted */
  function toApiKey(
    { maskedKey, sealedKey, createdAt, origin, ...row }: ApiKeyRow,
    current: string,
    usageOfKey: Usage = unused,
  ): ApiKey {
    const isActive = row.isActive && origin === current && !vault.isLost(sealedKey)
    return { ...row, ...usageOfKey, isActive, key: maskedKey, createdAt: createdAt.toISOString() }
  }

  async function view(request: FastifyRequest, row: ApiKeyRow | undefined): Promise<ApiKey> {
    const found = requireFound(row)
    const [origin, usageById] = await Promise.all([originOf(request.user.id), usageOf(request)])
    return toApiKey(found, origin, usageById.get(found.id))
  }

  app.get(
    '/api/keys',
    { schema: { summary: 'List API keys, masked', response: { 200: z.array(ApiKey) } } },
    async (request) => {
      const { id } = request.user
      const [rows, origin, usageById] = await Promise.all([apiKeys.list(id), originOf(id), usageOf(request)])
      return rows.map((row) => toApiKey(row, origin, usageById.get(row.id)))
    },
  )

  app.post(
    '/api/keys',
    {
      schema: {
        summary: 'Add an API key',
        description: 'The key is stored even if the provider does not accept it; `warning` then says why.',
        body: CreateApiKey,
        response: { 201: CreatedApiKey },
      },
    },
    async (request, reply) => {
      const { user, body } = request
      await throttle.count('providerCall', user.id)
      const id = uuidv7()
      const config = await configs.get(user.id)
      const { origin } = new URL(config.baseUrl)
      const row = await apiKeys.create(
        user.id,
        {
          id,
          name: body.name,
          origin,
          sealedKey: vault.seal(body.key, apiKeyContext(user.id, id, origin)),
          maskedKey: maskSecret(body.key),
          isPrimary: body.isPrimary,
        },
        auditSourceOf(request),
      )
      const { success, message } = await provider.ask(user.id, config, body.key, checkMs)
      return reply.code(201).send({ ...toApiKey(row, origin), warning: success ? null : message })
    },
  )

  app.get(
    '/api/keys/states',
    {
      schema: {
        summary: 'List cooldowns, remaining limits and last errors of API keys, and which are for another origin',
        response: { 200: z.array(ApiKeyState) },
      },
    },
    async ({ user, log }) => {
      const [current, keys] = await Promise.all([originOf(user.id), apiKeys.list(user.id)])
      const ids = keys.map(({ id }) => id)
      const known = await withFallback(states.list(user.id, ids), new Map(), log, 'key states are unavailable')
      return keys.map((key) => toApiKeyState(key, current, known.get(key.id)))
    },
  )

  app.post(
    '/api/keys/:id/test',
    {
      schema: {
        summary: 'Test an API key with a call to the provider',
        description: failedTestText,
        params: IdParams,
        response: { 200: ProxyTestResult },
      },
    },
    async ({ user, params }) => {
      await throttle.count('providerCall', user.id)
      const [config, found] = await Promise.all([configs.get(user.id), apiKeys.getSealed(user.id, params.id)])
      const key = requireFound(found)
      const { origin } = new URL(config.baseUrl)
      if (key.origin !== origin) {
        return { success: false, message: `This API key was entered for ${key.origin} and is not sent to ${origin}.` }
      }
      if (vault.isLost(key.sealedKey)) {
        return { success: false, message: 'This API key can no longer be read. Add it again.' }
      }
      const secret = vault.open(key.sealedKey, apiKeyContext(user.id, key.id, origin))
      return provider.ask(user.id, config, secret, checkMs)
    },
  )

  app.patch(
    '/api/keys/:id',
    { schema: { summary: 'Rename an API key', params: IdParams, body: RenameApiKey, response: { 200: ApiKey } } },
    async (request) => {
      const { user, params, body } = request
      return view(request, await apiKeys.rename(user.id, params.id, body.name, auditSourceOf(request)))
    },
  )

  app.put(
    '/api/keys/:id/primary',
    { schema: { summary: 'Make an API key primary', params: IdParams, response: { 200: ApiKey } } },
    async (request) =>
      view(request, await apiKeys.setPrimary(request.user.id, request.params.id, auditSourceOf(request))),
  )

  addDeleteRoute(app, '/api/keys/:id', 'Delete an API key', async (accountId, id, by, log) => {
    const isRemoved = await apiKeys.remove(accountId, id, by)
    const message = 'the state of a deleted key could not be removed; it expires by itself'
    if (isRemoved) await withFallback(states.remove(accountId, id), undefined, log, message)
    return isRemoved
  })
})

function toApiKeyState({ id, origin }: ApiKeyRow, current: string, state: KeyState = {}): ApiKeyState {
  const { failure, limits, recoveredAtMs = 0 } = state
  const isCooling = failure && failure.cooldownUntilMs > Date.now() && recoveredAtMs < failure.atMs
  return {
    id,
    cooldown: isCooling
      ? { until: isoTime(failure.cooldownUntilMs), status: failure.status, endpoint: failure.endpoint }
      : null,
    limits: limits ? toLimits(limits) : null,
    lastError: failure ? { status: failure.status, message: failure.message, at: isoTime(failure.atMs) } : null,
    otherOrigin: origin === current ? null : origin,
  }
}

const toLimits = ({ requests, maxRequests, tokens, maxTokens, observedAtMs }: ObservedLimits) => ({
  requests: toRemaining(requests, maxRequests),
  tokens: toRemaining(tokens, maxTokens),
  at: isoTime(observedAtMs),
})

function toRemaining(left: string | undefined, limit: string | undefined) {
  const count = numberOf(left)
  return count === null ? null : { left: count, limit: numberOf(limit) }
}

/** Providers may send anything in a header. */
function numberOf(text: string | undefined): number | null {
  const number = Number(text?.trim() || Number.NaN)
  return Number.isFinite(number) ? number : null
}
