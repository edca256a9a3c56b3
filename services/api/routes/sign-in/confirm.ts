import { z } from 'zod'
import { Confirmation } from '#schemas/sessions.ts'
import type { DeviceCookieStore } from '#store/postgres/sign-in/device-cookies.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import type { SessionStore } from '#store/postgres/sign-in/sessions.ts'
import type { ConfirmPassword } from '../../sign-in/confirm-password.ts'
import { auditSourceOf } from '../../sign-in/audit-source.ts'
import type { TwoFactor } from '../../sign-in/two-factor.ts'
import { signedInRoutes } from '../../plugins/session.ts'

interface ConfirmRouteOptions {
  sessions: SessionStore
  devices: DeviceCookieStore
  confirmPassword: ConfirmPassword
  twoFactor: TwoFactor
}

/** Opens the calls that respond with `confirm_password` to this session for a short time. */
export const confirmRoutes = signedInRoutes<ConfirmRouteOptions>(async (app, options) => {
  const { sessions, devices, confirmPassword, twoFactor } = options

  app.post(
    '/api/user/confirm',
    { schema: { summary: 'Confirm the password for this session', body: Confirmation, response: { 204: z.null() } } },
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
