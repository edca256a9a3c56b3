import type { FastifyRequest } from 'fastify'
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
import { Problem, rejectField } from '#core/problem.ts'
import { hashToken, mintToken } from '#shared/secure-token.ts'
import type { Vault } from '#shared/vault.ts'
import type { PreferencesStore } from '#store/postgres/preferences.ts'
import {
  noRestrictions,
  type SecureTokenChanges,
  secureTokenContext,
  type SecureTokenRow,
  type SecureTokenStore,
} from '#store/postgres/secure-tokens.ts'
import { unused, type Usage, type UsageStore } from '#store/clickhouse/usage.ts'
import { endOfDay } from '../logs/end-of-day.ts'
import { maskSecret, usageOf } from '../credentials/credential-view.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { requireRecentConfirmation } from '../sign-in/confirm-password.ts'
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

/** Secure tokens are unmasked only when created and when revealed. Source: product.md 8.7. */
export const secureTokenRoutes = signedInRoutes<SecureTokenRouteOptions>(async (app, options) => {
  const { tokens, preferences, usage, vault, throttle } = options

  async function change(request: FastifyRequest<{ Params: { id: string } }>, changes: SecureTokenChanges) {
    const { user, params, log } = request
    const row = await tokens.change(user.id, params.id, changes, auditSourceOf(request))
    if (!row) throw new Problem('not-found')
    return toSecureToken(row, (await usageOf(usage, user.id, 'token_id', log)).get(row.id))
  }

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
        summary: 'Create a secure token; the response shows it in full',
        body: CreateSecureToken,
        response: { 201: CreatedSecureToken },
      },
    },
    async (request, reply) => {
      const { user } = request
      const { name, expiresAt: lastDay, ...restrictions } = request.body
      const id = uuidv7()
      const token = mintToken()
      const { timezone } = await preferences.get(user.id)
      const expiresAt = lastDay ? endOfDay(lastDay, timezone) : null
      if (expiresAt && expiresAt < new Date()) throw rejectField('expiresAt', 'Expiry date must not be in the past')
      const row = await tokens.create(
        user.id,
        {
          id,
          name,
          tokenHash: hashToken(token),
          sealedToken: vault.seal(token, secureTokenContext(user.id, id)),
          maskedToken: maskSecret(token),
          expiresAt,
          ...noRestrictions,
          ...withNanoUsd(restrictions),
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

const nanoPerUsd = 1_000_000_000

/** Rounded, because 0.1 USD times a billion is not a whole number of nano-USD in floating point. */
const fromUsd = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * nanoPerUsd))

/** Budgets that are left out stay left out. */
const withNanoUsd = <Fields extends Pick<ChangeSecureToken, 'dailyBudgetUsd' | 'monthlyBudgetUsd'>>({
  dailyBudgetUsd,
  monthlyBudgetUsd,
  ...fields
}: Fields) => ({
  ...fields,
  ...(dailyBudgetUsd !== undefined && { dailyBudgetNanoUsd: fromUsd(dailyBudgetUsd) }),
  ...(monthlyBudgetUsd !== undefined && { monthlyBudgetNanoUsd: fromUsd(monthlyBudgetUsd) }),
})

const toUsd = (nanoUsd: number | null): number | null => (nanoUsd === null ? null : nanoUsd / nanoPerUsd)

const toSecureToken = (
  { maskedToken, dailyBudgetNanoUsd, monthlyBudgetNanoUsd, expiresAt, createdAt, ...row }: SecureTokenRow,
  usage: Usage = unused,
): SecureToken => ({
  ...row,
  ...usage,
  token: maskedToken,
  dailyBudgetUsd: toUsd(dailyBudgetNanoUsd),
  monthlyBudgetUsd: toUsd(monthlyBudgetNanoUsd),
  expiresAt: expiresAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})
