import {
  ConfirmedByPassword,
  EnableTwoFactor,
  RecoveryCodes,
  TwoFactorSetup,
  TwoFactorStatus,
} from '#schemas/two-factor.ts'
import type { TwoFactorStore } from '#store/postgres/sign-in/two-factor.ts'
import {
  type ConfirmPassword,
  recentConfirmationText,
  requireRecentConfirmation,
} from '../../sign-in/confirm-password.ts'
import { auditSourceOf } from '../../sign-in/client-address.ts'
import type { TwoFactor } from '../../sign-in/two-factor.ts'
import { signedInRoutes } from '../../plugins/session.ts'

interface TwoFactorRouteOptions {
  twoFactor: TwoFactor
  store: TwoFactorStore
  confirmPassword: ConfirmPassword
}

/** Sign-in with a second step: set up, confirm with a first code, disable. */
export const twoFactorRoutes = signedInRoutes<TwoFactorRouteOptions>(async (app, options) => {
  const { twoFactor, store, confirmPassword } = options

  app.get(
    '/api/user/two-factor',
    { schema: { summary: 'Get the state of two-factor sign-in', response: { 200: TwoFactorStatus } } },
    ({ user }) => store.status(user.id),
  )

  app.post(
    '/api/user/two-factor/setup',
    {
      schema: {
        summary: 'Create a secret for an authenticator app',
        body: ConfirmedByPassword,
        response: { 200: TwoFactorSetup },
      },
    },
    async ({ user, body }) => {
      await confirmPassword(user.id, body.currentPassword)
      return twoFactor.prepare(user.id, user.username)
    },
  )

  app.post(
    '/api/user/two-factor/enable',
    {
      schema: {
        summary: 'Enable two-factor sign-in with a code of the app',
        description: 'The response contains the recovery codes, which are not shown again.',
        body: EnableTwoFactor,
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => ({
      recoveryCodes: await twoFactor.enable(request.user.id, request.body.code, auditSourceOf(request)),
    }),
  )

  app.post(
    '/api/user/two-factor/recovery-codes',
    {
      schema: {
        summary: 'Replace the recovery codes',
        description: recentConfirmationText,
        response: { 200: RecoveryCodes },
      },
      preHandler: requireRecentConfirmation,
    },
    async (request) => ({
      recoveryCodes: await twoFactor.renewRecoveryCodes(request.user.id, auditSourceOf(request)),
    }),
  )

  app.post(
    '/api/user/two-factor/disable',
    {
      schema: {
        summary: 'Disable two-factor sign-in',
        description: recentConfirmationText,
        response: { 200: TwoFactorStatus },
      },
      preHandler: requireRecentConfirmation,
    },
    async (request) => {
      await store.disable(request.user.id, auditSourceOf(request))
      return { enabled: false, recoveryCodesLeft: 0 }
    },
  )
})
