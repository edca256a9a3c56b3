import { z } from 'zod'
import { ChangePassword, UpdateProfile, User } from '#schemas/account.ts'
import type { AccountStore } from '#store/postgres/accounts.ts'
import { type ConfirmPassword, recentConfirmationText, requireRecentConfirmation } from '../sign-in/confirm-password.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { hashPassword, rejectCommonPassword } from '#shared/passwords.ts'
import { signedInRoutes } from '../plugins/session.ts'
import { slowTakenNames } from '../sign-in/taken-names.ts'
import type { Throttle } from '../sign-in/throttle.ts'

interface ProfileRouteOptions {
  accounts: AccountStore
  confirmPassword: ConfirmPassword
  throttle: Throttle
}

/** Changes to the account, and its deletion. Source: product.md 8.4. */
export const profileRoutes = signedInRoutes<ProfileRouteOptions>(async (app, options) => {
  const { accounts, confirmPassword, throttle } = options

  app.patch(
    '/api/user/profile',
    { schema: { summary: 'Change the profile', body: UpdateProfile, response: { 200: User } } },
    async (request) => {
      const { user, body, ip, isConfirmed } = request
      if (isConfirmed && body.email !== user.email) await throttle.count('emailChange', user.id)
      return slowTakenNames(throttle, ip, () =>
        accounts.updateProfile(user.id, body, isConfirmed, auditSourceOf(request)),
      )
    },
  )

  app.patch(
    '/api/user/password',
    {
      schema: {
        summary: 'Change the password and end all other sessions',
        body: ChangePassword,
        response: { 200: User },
      },
    },
    async (request, reply) => {
      // Reading the session first rejects management keys, which could otherwise guess the password.
      const { user, body, sessionId } = request
      await confirmPassword(user.id, body.currentPassword)
      await rejectCommonPassword(body.newPassword, 'newPassword')
      const session = await app.sessions.prepare(request)
      await accounts.changePassword(user.id, await hashPassword(body.newPassword), session.row, sessionId)
      session.setCookies(reply)
      return user
    },
  )

  app.delete(
    '/api/user/account',
    {
      schema: {
        summary: 'Delete the account permanently',
        description: recentConfirmationText,
        response: { 200: z.object({ success: z.literal(true) }) },
      },
      preHandler: requireRecentConfirmation,
    },
    async (request, reply) => {
      const { user } = request
      await accounts.remove(user.id, auditSourceOf(request))
      app.sessions.clearCookie(reply)
      return { success: true as const }
    },
  )
})
