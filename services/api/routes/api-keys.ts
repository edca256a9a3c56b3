import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { ApiKey, CreateApiKey } from '#schemas/api-keys.ts'
import type { Invalidate } from '#core/invalidation.ts'
import { Problem } from '#core/problem.ts'
import type { Vault } from '#core/vault.ts'
import { apiKeyContext, type ApiKeyRow, type ApiKeyStore } from '#store/api-keys.ts'
import type { ProxyConfigStore } from '#store/proxy-configs.ts'
import { unused, type Usage, type UsageStore } from '#store/usage.ts'
import { maskSecret } from '../mask-secret.ts'
import { IdParams } from './id-params.ts'

interface ApiKeyRouteOptions {
  apiKeys: ApiKeyStore
  configs: ProxyConfigStore
  usage: UsageStore
  vault: Vault
  invalidate: Invalidate
}

/** Provider keys. The secret goes in and never comes out again. Source: specification §7. */
export const apiKeyRoutes: FastifyPluginAsyncZod<ApiKeyRouteOptions> = async (app, options) => {
  const { apiKeys, configs, usage, vault, invalidate } = options

  app.get('/api/keys', { schema: { response: { 200: z.array(ApiKey) } } }, async ({ user }) => {
    const [rows, usageById] = await Promise.all([apiKeys.list(user.id), usage.byCredential(user.id, 'api_key_id')])
    return rows.map((row) => toApiKey(row, usageById.get(row.id)))
  })

  app.post(
    '/api/keys',
    { schema: { body: CreateApiKey, response: { 201: ApiKey } } },
    async ({ user, body }, reply) => {
      const id = uuidv7()
      const { origin } = new URL((await configs.get(user.id)).baseUrl)
      const row = await apiKeys.create(user.id, {
        id,
        name: body.name,
        origin,
        sealedKey: vault.seal(body.key, apiKeyContext(user.id, id, origin)),
        maskedKey: maskSecret(body.key, 3),
        isPrimary: body.isPrimary,
      })
      await invalidate(user.id)
      return reply.code(201).send(toApiKey(row))
    },
  )

  app.put(
    '/api/keys/:id/primary',
    { schema: { params: IdParams, response: { 200: ApiKey } } },
    async ({ user, params }) => {
      const row = await apiKeys.setPrimary(user.id, params.id)
      if (!row) throw new Problem('not-found')
      await invalidate(user.id)
      return toApiKey(row, (await usage.byCredential(user.id, 'api_key_id')).get(row.id))
    },
  )

  app.delete(
    '/api/keys/:id',
    { schema: { params: IdParams, response: { 204: z.null() } } },
    async ({ user, params }, reply) => {
      if (!(await apiKeys.remove(user.id, params.id))) throw new Problem('not-found')
      await invalidate(user.id)
      return reply.code(204).send(null)
    },
  )
}

const toApiKey = ({ maskedKey, createdAt, ...row }: ApiKeyRow, usage: Usage = unused): ApiKey => ({
  ...row,
  ...usage,
  key: maskedKey,
  createdAt: createdAt.toISOString(),
})
