import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import {
  bodyLoggingHours,
  ChangeSecureToken,
  CreatedSecureToken,
  CreateSecureToken,
  LogTokenBodies,
  RevealedSecureToken,
  RotateSecureToken,
  SecureToken,
  ToggleSecureToken,
} from '#schemas/secure-tokens.ts'
import { Problem, rejectField, requireFound } from '#core/problem.ts'
import type { Vault } from '#shared/vault.ts'
import { newTokenSecret } from '#store/postgres/credentials/new-token-secret.ts'
import type { PreferencesStore } from '#store/postgres/preferences.ts'
import {
  noRestrictions,
  type SecureTokenChanges,
  secureTokenContext,
  type SecureTokenRow,
  type SecureTokenStore,
} from '#store/postgres/credentials/secure-tokens.ts'
import type { UsageStore } from '#store/clickhouse/usage.ts'
import type { TokenSpendingStore } from '#store/redis/token-spending.ts'
import { endOfDay } from '../logs/end-of-day.ts'
import { toSecureTokens, withNanoUsd } from '../credentials/secure-token-view.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { recentConfirmationText, requireRecentConfirmation } from '../sign-in/confirm-password.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { addDeleteRoute } from './add-delete-route.ts'
import { IdParams } from './id-params.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface SecureTokenRouteOptions {
  tokens: SecureTokenStore
  preferences: PreferencesStore
  usage: UsageStore
  spending: TokenSpendingStore
  vault: Vault
  throttle: Throttle
}

/** Secure tokens are unmasked only when created and when revealed. Source: product.md 8.7. */
export const secureTokenRoutes = signedInRoutes<SecureTokenRouteOptions>(async (app, options) => {
  const { tokens, preferences, vault, throttle } = options

  async function view({ user, log }: FastifyRequest, row: SecureTokenRow | undefined) {
    const [token] = row ? await toSecureTokens(options, user.id, [row], log) : []
    if (!token) throw new Problem('not-found')
    return token
  }

  async function change(request: FastifyRequest<{ Params: { id: string } }>, changes: SecureTokenChanges) {
    const { user, params } = request
    return view(request, await tokens.change(user.id, params.id, changes, auditSourceOf(request)))
  }

  app.get(
    '/api/tokens',
    { schema: { summary: 'List secure tokens, masked', response: { 200: z.array(SecureToken) } } },
    async ({ user, log }) => toSecureTokens(options, user.id, await tokens.list(user.id), log),
  )

  app.post(
    '/api/tokens',
    {
      schema: {
        summary: 'Create a secure token; the response contains it unmasked',
        body: CreateSecureToken,
        response: { 201: CreatedSecureToken },
      },
    },
    async (request, reply) => {
      const { user } = request
      const { name, expiresAt: lastDay, ...restrictions } = request.body
      const id = uuidv7()
      const { token, secret } = newTokenSecret(vault, user.id, id)
      const { timezone } = await preferences.get(user.id)
      const expiresAt = lastDay ? endOfDay(lastDay, timezone) : null
      if (expiresAt && expiresAt < new Date()) throw rejectField('expiresAt', 'Expiry date must not be in the past')
      const row = await tokens.create(
        user.id,
        { ...noRestrictions, ...withNanoUsd(restrictions), ...secret, id, name, expiresAt },
        auditSourceOf(request),
      )
      return reply.code(201).send({ ...(await view(request, row)), token })
    },
  )

  app.patch(
    '/api/tokens/:id',
    {
      schema: {
        summary: 'Rename a secure token, switch it on or off or change its restrictions',
        description: 'Omitted fields keep their values; `null` removes a restriction.',
        params: IdParams,
        body: ChangeSecureToken,
        response: { 200: SecureToken },
      },
    },
    (request) => change(request, withNanoUsd(request.body)),
  )

  app.put(
    '/api/tokens/:id/toggle',
    {
      schema: {
        summary: 'Switch a secure token on or off',
        params: IdParams,
        body: ToggleSecureToken,
        response: { 200: SecureToken },
      },
    },
    (request) => change(request, request.body),
  )

  addDeleteRoute(app, '/api/tokens/:id', 'Delete a secure token', tokens.remove)

  app.get(
    '/api/tokens/:id/reveal',
    {
      schema: {
        summary: 'Get a secure token unmasked',
        description: recentConfirmationText,
        params: IdParams,
        response: { 200: RevealedSecureToken },
      },
      preHandler: requireRecentConfirmation,
    },
    async (request) => {
      const { user, params } = request
      await throttle.count('tokenReveal', user.id)
      const sealed = requireFound(await tokens.reveal(user.id, params.id, auditSourceOf(request)))
      return { token: vault.open(sealed, secureTokenContext(user.id, params.id)) }
    },
  )

  app.post(
    '/api/tokens/:id/rotate',
    {
      schema: {
        summary: 'Rotate the secret of a secure token',
        description: `The response contains the token unmasked. The previous secret stays valid for \`graceHours\`. ${recentConfirmationText}`,
        params: IdParams,
        body: RotateSecureToken,
        response: { 200: CreatedSecureToken },
      },
      preHandler: requireRecentConfirmation,
    },
    async (request) => {
      const { user, params, body } = request
      await throttle.count('tokenReveal', user.id)
      const { token, secret } = newTokenSecret(vault, user.id, params.id)
      const row = await tokens.rotate(user.id, params.id, secret, body.graceHours, auditSourceOf(request))
      return { ...(await view(request, row)), token }
    },
  )

  app.delete(
    '/api/tokens/:id/previous-secret',
    {
      schema: {
        summary: 'Revoke the previous secret of a rotated token immediately',
        params: IdParams,
        response: { 200: SecureToken },
      },
    },
    async (request) =>
      view(request, await tokens.endPrevious(request.user.id, request.params.id, auditSourceOf(request))),
  )

  app.post(
    '/api/tokens/:id/log-bodies',
    {
      schema: {
        summary: 'Start or stop logging the bodies of a secure token’s requests',
        params: IdParams,
        body: LogTokenBodies,
        response: { 200: SecureToken },
      },
    },
    async (request) => {
      const { user, params, body } = request
      const hours = bodyLoggingHours[body.for]
      return view(request, await tokens.logBodies(user.id, params.id, hours, auditSourceOf(request)))
    },
  )
})
