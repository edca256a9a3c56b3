import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { CreateSecureToken, RevealedSecureToken, SecureToken, ToggleSecureToken } from '#schemas/secure-tokens.ts'
import type { Invalidate } from '#core/invalidation.ts'
import { Problem } from '#core/problem.ts'
import { hashToken, mintToken } from '#core/secure-token.ts'
import type { Vault } from '#core/vault.ts'
import { secureTokenContext, type SecureTokenRow, type SecureTokenStore } from '#store/secure-tokens.ts'
import { unused, type Usage, type UsageStore } from '#store/usage.ts'
import { maskSecret } from '../mask-secret.ts'
import { IdParams } from './id-params.ts'

interface SecureTokenRouteOptions {
  tokens: SecureTokenStore
  usage: UsageStore
  vault: Vault
  invalidate: Invalidate
}

/** Secure tokens: shown in full when created and when revealed, masked everywhere else. Source: specification §7. */
export const secureTokenRoutes: FastifyPluginAsyncZod<SecureTokenRouteOptions> = async (app, options) => {
  const { tokens, usage, vault, invalidate } = options

  app.get('/api/tokens', { schema: { response: { 200: z.array(SecureToken) } } }, async ({ user }) => {
    const [rows, usageById] = await Promise.all([tokens.list(user.id), usage.byCredential(user.id, 'token_id')])
    return rows.map((row) => toSecureToken(row, usageById.get(row.id)))
  })

  app.post(
    '/api/tokens',
    { schema: { body: CreateSecureToken, response: { 201: SecureToken } } },
    async ({ user, body }, reply) => {
      const id = uuidv7()
      const token = mintToken()
      const row = await tokens.create(user.id, {
        id,
        name: body.name,
        tokenHash: hashToken(token),
        sealedToken: vault.seal(token, secureTokenContext(user.id, id)),
        maskedToken: maskSecret(token, 3),
        expiresAt: body.expiresAt ? endOfDay(body.expiresAt) : null,
      })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...toSecureToken(row), token })
    },
  )

  app.put(
    '/api/tokens/:id/toggle',
    { schema: { params: IdParams, body: ToggleSecureToken, response: { 200: SecureToken } } },
    async ({ user, params, body }) => {
      const row = await tokens.setActive(user.id, params.id, body.isActive)
      if (!row) throw new Problem('not-found')
      await invalidate(user.id)
      return toSecureToken(row, (await usage.byCredential(user.id, 'token_id')).get(row.id))
    },
  )

  app.delete(
    '/api/tokens/:id',
    { schema: { params: IdParams, response: { 204: z.null() } } },
    async ({ user, params }, reply) => {
      if (!(await tokens.remove(user.id, params.id))) throw new Problem('not-found')
      await invalidate(user.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/tokens/:id/reveal',
    { schema: { params: IdParams, response: { 200: RevealedSecureToken } } },
    async ({ user, params }, reply) => {
      const sealed = await tokens.getSealed(user.id, params.id)
      if (!sealed) throw new Problem('not-found')
      reply.header('cache-control', 'no-store')
      return { token: vault.open(sealed, secureTokenContext(user.id, params.id)) }
    },
  )
}

/** The last moment of a calendar day, UTC. */
const endOfDay = (date: string) => new Date(`${date}T23:59:59.999Z`)

const toSecureToken = (
  { maskedToken, expiresAt, createdAt, ...row }: SecureTokenRow,
  usage: Usage = unused,
): SecureToken => ({
  ...row,
  ...usage,
  token: maskedToken,
  expiresAt: expiresAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})
