import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import type { AddressGuard } from '#shared/address-guard.ts'
import type { CredentialWatch } from '#shared/credential-watch.ts'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { type IsKnownHost, requireKnownHost } from '#core/http/known-hosts.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { measureRequests } from '#core/metrics.ts'
import type { ProcessLimits } from '#core/limits/process-limits.ts'
import type { ResolveName } from '#core/resolver.ts'
import type { CookieTokens, SessionTokens } from '#shared/session-token.ts'
import type { RegistrationMode } from '#schemas/registration.ts'
import type { Vault } from '#shared/vault.ts'
import type { AccountStore } from '#store/postgres/accounts.ts'
import type { ApiKeyStore } from '#store/postgres/api-keys.ts'
import type { AuditStore } from '#store/postgres/audit.ts'
import type { EmailConfirmationStore } from '#store/postgres/sign-in/email-confirmations.ts'
import type { PasswordResetStore } from '#store/postgres/sign-in/password-resets.ts'
import type { PhotoStore } from '#store/postgres/photos.ts'
import type { AnalyticsStore } from '#store/clickhouse/analytics.ts'
import type { DeviceCookieStore } from '#store/postgres/sign-in/device-cookies.ts'
import type { DeadLetters } from '#store/redis/dead-letters.ts'
import type { EmailChangeStore } from '#store/postgres/sign-in/email-changes.ts'
import type { PipelineStore } from '#store/clickhouse/pipeline.ts'
import type { PreferencesStore } from '#store/postgres/preferences.ts'
import type { ProxyConfigStore } from '#store/postgres/proxy-configs.ts'
import type { RequestLogStore } from '#store/clickhouse/request-logs.ts'
import type { SecureTokenStore } from '#store/postgres/secure-tokens.ts'
import type { SessionStore } from '#store/postgres/sign-in/sessions.ts'
import type { TwoFactorStore } from '#store/postgres/sign-in/two-factor.ts'
import type { UsageStore } from '#store/clickhouse/usage.ts'
import type { AccountDeletions } from './account-deletions.ts'
import type { Billing } from './payments/billing.ts'
import { createIngestWatermark } from './logs/ingest-watermark.ts'
import { createConfirmPassword } from './sign-in/confirm-password.ts'
import { addApiReference } from './plugins/api-reference.ts'
import { addBrowserSafety } from './plugins/browser-safety.ts'
import { handleErrors } from './plugins/errors.ts'
import { readInTurn } from './plugins/fair-reads.ts'
import { acceptJsonOnly } from './plugins/json-body.ts'
import { watchMethods } from './plugins/method-not-allowed.ts'
import { describeApi } from './plugins/openapi.ts'
import { rejectTesterCalls } from './plugins/tester-calls.ts'
import { requireSameSite } from './plugins/same-site.ts'
import { createSessions, requireSession } from './plugins/session.ts'
import type { LogTail } from './logs/log-tail.ts'
import type { IsOwnAddress } from './credentials/own-address.ts'
import type { ProviderCheck } from './credentials/provider-check.ts'
import { accountRoutes } from './routes/account.ts'
import { analyticsRoutes } from './routes/analytics.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { auditRoutes } from './routes/audit.ts'
import { billingRoutes } from './routes/billing.ts'
import { confirmRoutes } from './routes/sign-in/confirm.ts'
import { emailConfirmationRoutes } from './routes/sign-in/email-confirmation.ts'
import { mailedLinkRoutes } from './routes/sign-in/mailed-links.ts'
import { paypalWebhookRoutes } from './routes/paypal-webhook.ts'
import { emailChangeRoutes } from './routes/sign-in/email-change.ts'
import { photoRoutes } from './routes/photo.ts'
import { logExportRoutes } from './routes/log-export.ts'
import { logTailRoutes } from './routes/log-tail.ts'
import { pipelineRoutes } from './routes/pipeline.ts'
import { preferencesRoutes } from './routes/preferences.ts'
import { profileRoutes } from './routes/profile.ts'
import { proxyConfigRoutes } from './routes/proxy-config.ts'
import { registrationRoutes } from './routes/sign-in/registration.ts'
import { requestLogRoutes } from './routes/request-logs.ts'
import { secureTokenRoutes } from './routes/secure-tokens.ts'
import { sessionRoutes } from './routes/sign-in/sessions.ts'
import { twoFactorRoutes } from './routes/sign-in/two-factor.ts'
import { createRequestPasswordReset } from './sign-in/request-password-reset.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import type { Throttle } from './sign-in/throttle.ts'
import { createTwoFactor } from './sign-in/two-factor.ts'
import { serveWebApp } from './web-app.ts'

/** Requests that read logs and sums: those of one account, and all. */
const readsAtOnce = { perAccount: 4, atOnce: 8 }

export interface ApiOptions {
  accounts: AccountStore
  emailChanges: EmailChangeStore
  sessions: SessionStore
  devices: DeviceCookieStore
  confirmations: EmailConfirmationStore
  resets: PasswordResetStore
  apiKeys: ApiKeyStore
  tokens: SecureTokenStore
  configs: ProxyConfigStore
  preferences: PreferencesStore
  audit: AuditStore
  photos: PhotoStore
  twoFactor: TwoFactorStore
  logs: RequestLogStore
  usage: UsageStore
  analytics: AnalyticsStore
  pipeline: PipelineStore
  deadLetters: DeadLetters
  tail: LogTail
  rollupRetentionDays: number
  billing: Billing
  vault: Vault
  invalidate: Invalidate
  credentialWatch: CredentialWatch
  throttle: Throttle
  provider: ProviderCheck
  /** Addresses that a base URL may lead to. */
  isAllowed: AddressGuard
  resolve: ResolveName
  isOwnAddress: IsOwnAddress
  isKnownHost: IsKnownHost
  limits: ProcessLimits
  deletions: AccountDeletions
  sessionTokens: SessionTokens
  deviceTokens: CookieTokens
  /** Whether people reach the site by HTTPS. */
  secure: boolean
  providerBaseUrl: string
  registration: RegistrationMode
  sendsMail: boolean
  metrics: Registry
}

/** The control plane and the web app. */
export const apiPlugin: FastifyPluginAsync<ApiOptions> = async (app, options) => {
  const { accounts, apiKeys, tokens, configs, preferences, logs, usage, vault, invalidate, throttle, provider } =
    options
  const { billing } = options
  measureRequests(app, options.metrics)
  handleErrors(app)
  requireSameSite(app)
  rejectTesterCalls(app)
  acceptJsonOnly(app)
  await addBrowserSafety(app, { secure: options.secure, paymentOrigins: billing.payments?.origins ?? [] })
  requireKnownHost(app, options.isKnownHost)
  const sessions = await createSessions(app, {
    sessions: options.sessions,
    tokens: options.sessionTokens,
    deviceTokens: options.deviceTokens,
    invalidate,
    secure: options.secure,
  })

  const confirmPassword = createConfirmPassword(accounts, throttle)
  const twoFactor = createTwoFactor(options.twoFactor, vault, throttle)
  const signIn = createSignIn({ accounts, devices: options.devices, twoFactor, throttle })

  const closeMethods = watchMethods(app)
  await describeApi(app, options.sessionTokens)
  await app.register(accountRoutes, {
    accounts,
    sessions,
    signIn,
    throttle,
    baseUrl: options.providerBaseUrl,
    registration: options.registration,
  })
  const { confirmations, resets, sendsMail } = options
  await app.register(registrationRoutes, { mode: options.registration, sendsMail })
  await app.register(emailChangeRoutes, { emailChanges: options.emailChanges, invalidate })
  await app.register(mailedLinkRoutes, {
    confirmations,
    resets,
    requestReset: createRequestPasswordReset(resets, throttle, app.log),
    device: sessions.device,
    invalidate,
    throttle,
    sendsMail,
  })
  await app.register(paypalWebhookRoutes, { ...billing, invalidate })
  await app.register(async (signedIn) => {
    requireSession(signedIn, sessions)
    const { isAllowed, deletions, limits } = options
    const reads = new FairQueue({ limit: limits.queries, ...readsAtOnce })
    const completeUntil = createIngestWatermark(options.pipeline)
    await signedIn.register(profileRoutes, { accounts, sessions, confirmPassword, deletions, invalidate, throttle })
    await signedIn.register(preferencesRoutes, { preferences })
    await signedIn.register(sessionRoutes, { sessions: options.sessions, invalidate })
    await signedIn.register(confirmRoutes, {
      sessions: options.sessions,
      devices: options.devices,
      device: sessions.device,
      confirmPassword,
      twoFactor,
    })
    await signedIn.register(twoFactorRoutes, { twoFactor, store: options.twoFactor, confirmPassword })
    await signedIn.register(emailConfirmationRoutes, { confirmations, throttle, sendsMail })
    await signedIn.register(photoRoutes, { photos: options.photos, throttle })
    await signedIn.register(auditRoutes, { audit: options.audit })
    await signedIn.register(apiKeyRoutes, { apiKeys, configs, usage, vault, provider, throttle, invalidate })
    await signedIn.register(secureTokenRoutes, { tokens, preferences, usage, vault, throttle, invalidate })
    await signedIn.register(proxyConfigRoutes, {
      configs,
      apiKeys,
      vault,
      provider,
      isAllowed,
      resolve: options.resolve,
      isOwnAddress: options.isOwnAddress,
      confirmPassword,
      throttle,
      invalidate,
    })
    await signedIn.register(billingRoutes, { ...billing, usage, throttle, invalidate })
    await signedIn.register(logTailRoutes, {
      tail: options.tail,
      limit: limits.tails,
      sessions: options.sessions,
      credentialWatch: options.credentialWatch,
    })
    await signedIn.register(logExportRoutes, { logs, reads, limit: limits.exports })
    await signedIn.register(async (reading) => {
      readInTurn(reading, reads)
      await reading.register(requestLogRoutes, { logs, completeUntil })
      await reading.register(analyticsRoutes, {
        analytics: options.analytics,
        usage,
        preferences,
        completeUntil,
        rollupRetentionDays: options.rollupRetentionDays,
      })
    })
    await signedIn.register(pipelineRoutes, { pipeline: options.pipeline, deadLetters: options.deadLetters })
  })
  await addApiReference(app)
  closeMethods()
  await serveWebApp(app)
}
