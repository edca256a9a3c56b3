import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import {
  bodyLoggingHours,
  ChangeSecureToken,
  CreatedSecureToken,
  CreateSecureToken,
  longestTokenPage,
  LogTokenBodies,
  RevealedSecureToken,
  RotateSecureToken,
  SecureToken,
  SecureTokenQuery,
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
  type SecureTokenPage,
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

/** Of RFC 7240's header, in which an unusable preference is ignored. */
function preferredLimit(prefer: string | string[] | undefined): number | undefined {
  const size = /\bmaxpagesize=(\d+)/.exec(String(prefer))?.[1]
  return SecureTokenQuery.shape.limit.safeParse(size).data
}

const SecureTokens = z.array(SecureToken)

/** Sends a long list page by page, because other requests would have to wait while all of it is written at once. */
function sendList(
  reply: FastifyReply,
  first: SecureTokenPage,
  readPage: (cursor: string) => Promise<SecureTokenPage>,
  view: (rows: SecureTokenRow[]) => Promise<SecureToken[]>,
): void {
  const textOf = async ({ rows }: SecureTokenPage) => JSON.stringify(SecureTokens.parse(await view(rows))).slice(1, -1)
  async function* parts() {
    yield `[${await textOf(first)}`
    for (let { next } = first; next;) {
      const page = await readPage(next)
      // The rest may have been deleted meanwhile.
      if (page.rows.length > 0) yield `,${await textOf(page)}`
      next = page.next
    }
    yield ']'
  }
  void reply.type('application/json; charset=utf-8').send(Readable.from(parts(), { objectMode: false }))
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
    {
      schema: {
        summary: 'List secure tokens, masked',
        description:
          'All of them, oldest first, or a page of `limit`. Response headers: `x-total-count`, the number of matching ' +
          'tokens; `x-next-cursor`, the `cursor` of the next page, if there is one. A header `Prefer: maxpagesize=50` ' +
          'is the same as `limit=50`.',
        querystring: SecureTokenQuery,
        response: { 200: z.array(SecureToken) },
      },
    },
    async ({ user, query, headers, log }, reply) => {
      const wanted = query.limit ?? preferredLimit(headers.prefer)
      const limit = wanted ?? longestTokenPage
      const first = await tokens.page(user.id, { ...query, limit })
      reply.header('x-total-count', first.total)
      if (wanted === undefined && first.next) {
        const readPage = (cursor: string) => tokens.page(user.id, { ...query, limit, cursor })
        sendList(reply, first, readPage, (rows) => toSecureTokens(options, user.id, rows, log))
        return reply
      }
      if (first.next) reply.header('x-next-cursor', first.next)
      return toSecureTokens(options, user.id, first.rows, log)
    },
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
      const open = (sealed: Buffer) => {
        if (!vault.isLost(sealed)) return vault.open(sealed, secureTokenContext(user.id, params.id))
        throw new Problem('secret-lost', { detail: 'This token can no longer be read. Rotate it to get a new one.' })
      }
      return { token: requireFound(await tokens.reveal(user.id, params.id, open, auditSourceOf(request))) }
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
