import type { FastifyPluginAsync } from 'fastify'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { createAuditStore } from '#store/postgres/audit.ts'
import { createPhotoStore } from '#store/postgres/photos.ts'
import { createPreferencesStore } from '#store/postgres/preferences.ts'
import { createDeviceCookieStore } from '#store/postgres/sign-in/device-cookies.ts'
import { createEmailChangeStore } from '#store/postgres/sign-in/email-changes.ts'
import { createEmailConfirmationStore } from '#store/postgres/sign-in/email-confirmations.ts'
import { createPasswordResetStore } from '#store/postgres/sign-in/password-resets.ts'
import type { SessionStore } from '#store/postgres/sign-in/sessions.ts'
import { createTwoFactorStore } from '#store/postgres/sign-in/two-factor.ts'
import type { ApiContext } from './api-context.ts'
import { accountRoutes } from './routes/account.ts'
import { auditRoutes } from './routes/audit.ts'
import { photoRoutes } from './routes/photo.ts'
import { preferencesRoutes } from './routes/preferences.ts'
import { profileRoutes } from './routes/profile.ts'
import { emailConfirmationRoutes, mailedLinkRoutes } from './routes/sign-in/mailed-links.ts'
import { sessionRoutes } from './routes/sign-in/sessions.ts'
import { twoFactorRoutes } from './routes/sign-in/two-factor.ts'
import { createConfirmPassword } from './sign-in/confirm-password.ts'
import { createRequestPasswordReset } from './sign-in/request-password-reset.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createTwoFactor } from './sign-in/two-factor.ts'

/** Stores, services and routes for sign-in and the account itself. */
export function createAccountArea(context: ApiContext, sessions: SessionStore) {
  const { sql, limits, config, logger, invalidate, throttle, vault, endWithCredential } = context
  const sendsMail = config.mail !== undefined
  const accounts = createAccountStore(sql, invalidate, sendsMail)
  const confirmations = createEmailConfirmationStore(sql)
  const confirmPassword = createConfirmPassword(accounts, throttle)
  const devices = createDeviceCookieStore(sql)
  const twoFactorStore = createTwoFactorStore(sql)
  const twoFactor = createTwoFactor(twoFactorStore, vault, throttle)

  const publicRoutes: FastifyPluginAsync = async (app) => {
    const resets = createPasswordResetStore(sql, invalidate)
    await app.register(accountRoutes, {
      accounts,
      signIn: createSignIn({ accounts, devices, twoFactor, throttle }),
      throttle,
      baseUrl: config.providerBaseUrl,
      registration: { mode: config.registration, sendsMail },
    })
    await app.register(mailedLinkRoutes, {
      emailChanges: createEmailChangeStore(sql, invalidate),
      confirmations,
      resets,
      requestReset: createRequestPasswordReset(resets, throttle, logger),
      throttle,
      sendsMail,
    })
  }

  /** Management keys have no access to these routes. */
  const personalRoutes: FastifyPluginAsync = async (app) => {
    await app.register(sessionRoutes, { sessions, devices, confirmPassword, twoFactor })
    await app.register(twoFactorRoutes, { twoFactor, store: twoFactorStore, confirmPassword })
    await app.register(emailConfirmationRoutes, { confirmations, throttle, sendsMail })
  }

  const signedInRoutes: FastifyPluginAsync = async (app) => {
    await app.register(profileRoutes, { accounts, confirmPassword, throttle })
    await app.register(preferencesRoutes, { preferences: createPreferencesStore(sql) })
    await app.register(photoRoutes, { photos: createPhotoStore(sql), throttle })
    await app.register(auditRoutes, {
      audit: createAuditStore(sql),
      exports: { limit: limits.exports, endWithCredential },
    })
  }

  return { publicRoutes, personalRoutes, signedInRoutes, confirmPassword }
}
