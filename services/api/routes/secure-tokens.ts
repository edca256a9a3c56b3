import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import {
  ChangeSecureToken,
  CreatedSecureToken,
  CreateSecureToken,
  RevealedSecureToken,
  SecureToken,
  ToggleSecureToken,
} from '#schemas/secure-tokens.ts'
import { Problem, refuseField } from '#core/problem.ts'
import { hashToken, mintToken } from '#shared/secure-token.ts'
import type { Vault } from '#shared/vault.ts'
import type { PreferencesStore } from '#store/postgres/preferences.ts'
import { secureTokenContext, type SecureTokenStore } from '#store/postgres/secure-tokens.ts'
import type { UsageStore } from '#store/clickhouse/usage.ts'
import { usageOf } from '../credentials/credential-usage.ts'
import { endOfDay } from '../logs/end-of-day.ts'
import { maskSecret } from '../credentials/mask-secret.ts'
import { auditSourceOf } from '../sign-in/audit-source.ts'
import { requireRecentConfirmation } from '../sign-in/recent-confirmation.ts'
import { fromUsd, toSecureToken } from '../credentials/secure-token-view.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { IdParams } from './id-params.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface SecureTokenRouteOptions {
  tokens: SecureTokenStore
  preferences: PreferencesStore
  usage: UsageStore
  vault: Vault
  throttle: Throttle
}

/** Secure tokens: shown in full when created and when revealed, masked everywhere else. Source: product.md 8.7. */
export const secureTokenRoutes = signedInRoutes<SecureTokenRouteOptions>(async (app, options) => {
  const { tokens, preferences, usage, vault, throttle } = options

  app.get(
    '/api/tokens',
    { schema: { summary: 'Secure tokens, masked', response: { 200: z.array(SecureToken) } } },
    async ({ user, log }) => {
      const [rows, usageById] = await Promise.all([tokens.list(user.id), usageOf(usage, user.id, 'token_id', log)])
      return rows.map((row) => toSecureToken(row, usageById.get(row.id)))
    },
  )

  app.post(
    '/api/tokens',
    {
      schema: {
        summary: 'Create a secure token; the answer shows it in full',
        body: CreateSecureToken,
        response: { 201: CreatedSecureToken },
      },
    },
    async (request, reply) => {
      const { user, body } = request
      const id = uuidv7()
      const token = mintToken()
      const { timezone } = await preferences.get(user.id)
      const expiresAt = body.expiresAt ? endOfDay(body.expiresAt, timezone) : null
      if (expiresAt && expiresAt < new Date()) throw refuseField('expiresAt', 'Expiry date must not be in the past')
      const row = await tokens.create(
        user.id,
        {
          id,
          name: body.name,
          tokenHash: hashToken(token),
          sealedToken: vault.seal(token, secureTokenContext(user.id, id)),
          maskedToken: maskSecret(token, 3),
          expiresAt,
          models: body.models ?? null,
          monthlyBudgetNanoUsd: fromUsd(body.monthlyBudgetUsd ?? null),
          allowedAddresses: body.allowedAddresses ?? null,
        },
        auditSourceOf(request),
      )
      return reply.code(201).send({ ...toSecureToken(row), token })
    },
  )

  app.patch(
    '/api/tokens/:id',
    {
      schema: {
        summary: 'Rename a secure token or change what it may do',
        params: IdParams,
        body: ChangeSecureToken,
        response: { 200: SecureToken },
      },
    },
    async (request) => {
      const { monthlyBudgetUsd, ...changes } = request.body
      const budget = monthlyBudgetUsd === undefined ? {} : { monthlyBudgetNanoUsd: fromUsd(monthlyBudgetUsd) }
      const row = await tokens.change(
        request.user.id,
        request.params.id,
        { ...defined(changes), ...budget },
        auditSourceOf(request),
      )
      if (!row) throw new Problem('not-found')
      return toSecureToken(row, (await usageOf(usage, request.user.id, 'token_id', request.log)).get(row.id))
    },
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
    async (request) => {
      const row = await tokens.change(request.user.id, request.params.id, request.body, auditSourceOf(request))
      if (!row) throw new Problem('not-found')
      return toSecureToken(row, (await usageOf(usage, request.user.id, 'token_id', request.log)).get(row.id))
    },
  )

  app.delete(
    '/api/tokens/:id',
    { schema: { summary: 'Delete a secure token', params: IdParams, response: { 204: z.null() } } },
    async (request, reply) => {
      const removed = await tokens.remove(request.user.id, request.params.id, auditSourceOf(request))
      if (!removed) throw new Problem('not-found')
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/tokens/:id/reveal',
    {
      schema: { summary: 'Show a secure token in full', params: IdParams, response: { 200: RevealedSecureToken } },
      preHandler: requireRecentConfirmation,
    },
    async (request) => {
      const { user, params } = request
      await throttle.count('tokenReveal', user.id)
      const sealed = await tokens.reveal(user.id, params.id, auditSourceOf(request))
      if (!sealed) throw new Problem('not-found')
      return { token: vault.open(sealed, secureTokenContext(user.id, params.id)) }
    },
  )
})

/** Without the fields that were left out. */
const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
