import { z } from 'zod'
import { Confirmation, Session } from '#schemas/sessions.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import type { DeviceCookieStore } from '#store/postgres/sign-in/device-cookies.ts'
import type { SessionStore } from '#store/postgres/sign-in/sessions.ts'
import { auditSourceOf } from '../../sign-in/client-address.ts'
import type { ConfirmPassword } from '../../sign-in/confirm-password.ts'
import type { TwoFactor } from '../../sign-in/two-factor.ts'
import { addDeleteRoute } from '../add-delete-route.ts'
import { signedInRoutes } from '../../plugins/session.ts'

interface SessionRouteOptions {
  sessions: SessionStore
  devices: DeviceCookieStore
  confirmPassword: ConfirmPassword
  twoFactor: TwoFactor
}

/** The account's sessions, and the confirmation of the password in one of them. */
export const sessionRoutes = signedInRoutes<SessionRouteOptions>(async (app, options) => {
  const { sessions, devices, confirmPassword, twoFactor } = options

  app.get(
    '/api/user/sessions',
    { schema: { summary: 'List the sessions of the account', response: { 200: z.array(Session) } } },
    async ({ user, sessionId }): Promise<Session[]> => {
      const rows = await sessions.list(user.id)
      return rows.map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        lastSeenAt: row.lastSeenAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
        current: row.id === sessionId,
      }))
    },
  )

  app.delete(
    '/api/user/sessions',
    { schema: { summary: 'End all other sessions', response: { 204: z.null() } } },
    async (request, reply) => {
      await sessions.endOthers(request.user.id, request.sessionId, auditSourceOf(request))
      return reply.code(204).send(null)
    },
  )

  addDeleteRoute(app, '/api/user/sessions/:id', 'End a session', (accountId, id, by) =>
    sessions.end(accountId, id, 'session-ended', by),
  )

  app.post(
    '/api/user/confirm',
    {
      schema: {
        summary: 'Confirm the password for this session',
        description: 'Some calls fail with 403 `confirm_password` unless this was done in the last 15 minutes.',
        body: Confirmation,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { user, sessionId, body } = request
      await confirmPassword(user.id, body.currentPassword)
      const deviceHash = await app.sessions.device.read(request)
      const isKnown = deviceHash && (await devices.isKnown(foldName(user.username), deviceHash))
      await twoFactor.check(user.id, body.code, auditSourceOf(request), isKnown ? deviceHash : undefined)
      await sessions.confirm(user.id, sessionId)
      return reply.code(204).send(null)
    },
  )
})
