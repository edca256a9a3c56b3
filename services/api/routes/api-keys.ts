import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { ApiKey, CreateApiKey, CreatedApiKey } from '#schemas/api-keys.ts'
import { Problem } from '#core/problem.ts'
import { second } from '#core/units.ts'
import type { Vault } from '#shared/vault.ts'
import { apiKeyContext, type ApiKeyRow, type ApiKeyStore } from '#store/postgres/api-keys.ts'
import type { ProxyConfigStore } from '#store/postgres/proxy-configs.ts'
import { unused, type Usage, type UsageStore } from '#store/clickhouse/usage.ts'
import { maskSecret, usageOf } from '../credentials/credential-view.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import type { ProviderCheck } from '../credentials/provider-check.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { IdParams } from './id-params.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface ApiKeyRouteOptions {
  apiKeys: ApiKeyStore
  configs: ProxyConfigStore
  usage: UsageStore
  vault: Vault
  provider: ProviderCheck
  throttle: Throttle
}

/** How long adding a key waits for the check at the provider. */
const checkMs = 5 * second

/** Provider keys. No response contains the secret. Source: product.md 8.6. */
export const apiKeyRoutes = signedInRoutes<ApiKeyRouteOptions>(async (app, options) => {
  const { apiKeys, configs, usage, vault, provider, throttle } = options

  app.get(
    '/api/keys',
    { schema: { summary: 'API keys, masked', response: { 200: z.array(ApiKey) } } },
    async ({ user, log }) => {
      const [rows, usageById] = await Promise.all([apiKeys.list(user.id), usageOf(usage, user.id, 'api_key_id', log)])
      return rows.map((row) => toApiKey(row, usageById.get(row.id)))
    },
  )

  app.post(
    '/api/keys',
    { schema: { summary: 'Add an API key', body: CreateApiKey, response: { 201: CreatedApiKey } } },
    async (request, reply) => {
      const { user, body } = request
      await throttle.count('providerCall', user.id)
      const id = uuidv7()
      const { baseUrl, credentialHeader } = await configs.get(user.id)
      const { origin } = new URL(baseUrl)
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
      const target = { accountId: user.id, baseUrl, credentialHeader, key: body.key, timeoutMs: checkMs }
      const { success, message } = await provider.ask(target)
      return reply.code(201).send({ ...toApiKey(row), warning: success ? null : message })
    },
  )

  app.put(
    '/api/keys/:id/primary',
    { schema: { summary: 'Make an API key primary', params: IdParams, response: { 200: ApiKey } } },
    async (request) => {
      const row = await apiKeys.setPrimary(request.user.id, request.params.id, auditSourceOf(request))
      if (!row) throw new Problem('not-found')
      return toApiKey(row, (await usageOf(usage, request.user.id, 'api_key_id', request.log)).get(row.id))
    },
  )

  app.delete(
    '/api/keys/:id',
    { schema: { summary: 'Delete an API key', params: IdParams, response: { 204: z.null() } } },
    async (request, reply) => {
      const removed = await apiKeys.remove(request.user.id, request.params.id, auditSourceOf(request))
      if (!removed) throw new Problem('not-found')
      return reply.code(204).send(null)
    },
  )
})

const toApiKey = ({ maskedKey, createdAt, ...row }: ApiKeyRow, usage: Usage = unused): ApiKey => ({
  ...row,
  ...usage,
  key: maskedKey,
  createdAt: createdAt.toISOString(),
})
