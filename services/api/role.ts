import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { createAddressGuard } from '#shared/address-guard.ts'
import type { Config } from '#core/config.ts'
import { CredentialWatch } from '#shared/credential-watch.ts'
import { createInvalidation, onInvalidation } from '#shared/invalidation.ts'
import { createKnownHosts } from '#core/http/known-hosts.ts'
import type { Lifecycle } from '#core/process/lifecycle.ts'
import type { Logger } from '#core/logger.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import type { ProcessLimits } from '#core/limits/process-limits.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import { createNameResolver } from '#core/resolver.ts'
import type { ClickHouseClient, Redis, Sql } from '#core/resources.ts'
import { createDeviceTokens, createSessionTokens } from '#shared/session-token.ts'
import { createVault } from '#shared/vault.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { createApiKeyStore } from '#store/postgres/api-keys.ts'
import { createAuditStore } from '#store/postgres/audit.ts'
import { createDeviceCookieStore } from '#store/postgres/sign-in/device-cookies.ts'
import { createEmailConfirmationStore } from '#store/postgres/sign-in/email-confirmations.ts'
import { createPasswordResetStore } from '#store/postgres/sign-in/password-resets.ts'
import { createPhotoStore } from '#store/postgres/photos.ts'
import { createAnalyticsStore } from '#store/clickhouse/analytics.ts'
import { createDeadLetters } from '#store/redis/dead-letters.ts'
import { createEmailChangeStore } from '#store/postgres/sign-in/email-changes.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { createPreferencesStore } from '#store/postgres/preferences.ts'
import { createProxyConfigStore } from '#store/postgres/proxy-configs.ts'
import { createRequestLogStore } from '#store/clickhouse/request-logs.ts'
import { createSecureTokenStore } from '#store/postgres/secure-tokens.ts'
import { createSessionStore } from '#store/postgres/sign-in/sessions.ts'
import { createTwoFactorStore } from '#store/postgres/sign-in/two-factor.ts'
import { createUsageStore } from '#store/clickhouse/usage.ts'
import { createAccountDeletions } from './account-deletions.ts'
import { createBilling } from './payments/billing.ts'
import { LogTail } from './logs/log-tail.ts'
import { createIsOwnAddress } from './credentials/own-address.ts'
import { createProviderCheck } from './credentials/provider-check.ts'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { measureRequests } from '#core/metrics.ts'
import { createIngestWatermark } from './logs/ingest-watermark.ts'
import { apiReference } from './plugins/api-reference.ts'
import { browserSafety } from './plugins/browser-safety.ts'
import { errorHandler } from './plugins/errors.ts'
import { fairReads } from './plugins/fair-reads.ts'
import { jsonBody } from './plugins/json-body.ts'
import { knownHost } from './plugins/known-host.ts'
import { knownMethods, methodNotAllowed } from './plugins/method-not-allowed.ts'
import { openApi } from './plugins/openapi.ts'
import { sameSite } from './plugins/same-site.ts'
import { requireSession, session } from './plugins/session.ts'
import { testerCalls } from './plugins/tester-calls.ts'
import { accountRoutes } from './routes/account.ts'
import { analyticsRoutes } from './routes/analytics.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { auditRoutes } from './routes/audit.ts'
import { billingRoutes } from './routes/billing.ts'
import { logExportRoutes } from './routes/log-export.ts'
import { logTailRoutes } from './routes/log-tail.ts'
import { paypalWebhookRoutes } from './routes/paypal-webhook.ts'
import { photoRoutes } from './routes/photo.ts'
import { pipelineRoutes } from './routes/pipeline.ts'
import { preferencesRoutes } from './routes/preferences.ts'
import { profileRoutes } from './routes/profile.ts'
import { proxyConfigRoutes } from './routes/proxy-config.ts'
import { requestLogRoutes } from './routes/request-logs.ts'
import { secureTokenRoutes } from './routes/secure-tokens.ts'
import { confirmRoutes } from './routes/sign-in/confirm.ts'
import { emailChangeRoutes } from './routes/sign-in/email-change.ts'
import { emailConfirmationRoutes } from './routes/sign-in/email-confirmation.ts'
import { mailedLinkRoutes } from './routes/sign-in/mailed-links.ts'
import { registrationRoutes } from './routes/sign-in/registration.ts'
import { sessionRoutes } from './routes/sign-in/sessions.ts'
import { twoFactorRoutes } from './routes/sign-in/two-factor.ts'
import { createConfirmPassword } from './sign-in/confirm-password.ts'
import { createRequestPasswordReset } from './sign-in/request-password-reset.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createThrottle } from './sign-in/throttle.ts'
import { createTwoFactor } from './sign-in/two-factor.ts'
import { webApp } from './web-app.ts'

/** Requests that read logs and sums: those of one account, and all. */
const readsAtOnce = { perAccount: 4, atOnce: 8 }

export interface ApiResources {
  sql: Sql
  clickhouse: ClickHouseClient
  state: Redis
  subscriber: Redis
  queue: QueueShards
  limits: ProcessLimits
}

/** The control plane and the web app on this server. */
export async function addApiRole(
  app: FastifyInstance,
  { sql, clickhouse, state, subscriber, queue, limits }: ApiResources,
  config: Config,
  lifecycle: Lifecycle,
  logger: Logger,
  metrics: Registry,
): Promise<void> {
  const invalidate = createInvalidation(state, logger)
  const vault = createVault(config.masterKeys)
  const throttle = createThrottle(state)
  const sendsMail = config.mail !== undefined
  const cookies = { secret: config.sessionSecret, secure: config.secure }
  const sessionTokens = createSessionTokens(cookies)

  const accounts = createAccountStore(sql, invalidate, sendsMail)
  const apiKeys = createApiKeyStore(sql, invalidate)
  const configs = createProxyConfigStore(sql, invalidate)
  const confirmations = createEmailConfirmationStore(sql)
  const devices = createDeviceCookieStore(sql)
  const preferences = createPreferencesStore(sql)
  const resets = createPasswordResetStore(sql, invalidate)
  const sessions = createSessionStore(sql, invalidate)
  const twoFactorStore = createTwoFactorStore(sql)
  const logs = createRequestLogStore(clickhouse, config)
  const pipeline = createPipelineStore(clickhouse, queue)
  const usage = createUsageStore(clickhouse)
  const deadLetters = createDeadLetters(queue)
  lifecycle.onStop('dead letters', () => deadLetters.close())
  const deletions = createAccountDeletions(queue[0])
  lifecycle.onStop('account deletions', () => deletions.close())

  const isAllowed = createAddressGuard(config.upstreamAllowCidrs)
  const resolve = createNameResolver({ limit: limits.lookups, servers: config.dnsServers })
  const provider = createProviderCheck({ isAllowed, resolve, egressProxyUrl: config.upstreamProxyUrl })
  lifecycle.onStop('provider checks', () => provider.close())
  const billing = createBilling(sql, invalidate, config)
  const confirmPassword = createConfirmPassword(accounts, throttle)
  const twoFactor = createTwoFactor(twoFactorStore, vault, throttle)
  const signIn = createSignIn({ accounts, devices, twoFactor, throttle })
  const requestReset = createRequestPasswordReset(resets, throttle, logger)
  const credentialWatch = new CredentialWatch()
  onInvalidation(subscriber, (accountId) => credentialWatch.check(accountId))

  await app.register(async (api) => {
    measureRequests(api, metrics)
    await api.register(errorHandler)
    await api.register(sameSite)
    await api.register(testerCalls)
    await api.register(jsonBody)
    await api.register(browserSafety, { secure: config.secure, paymentOrigins: billing.payments?.origins ?? [] })
    await api.register(knownHost, { isKnownHost: createKnownHosts(config) })
    await api.register(session, {
      sessions,
      tokens: sessionTokens,
      deviceTokens: createDeviceTokens(cookies),
      secure: config.secure,
    })
    await api.register(knownMethods)
    await api.register(openApi, { cookieName: sessionTokens.cookieName })

    await api.register(accountRoutes, {
      accounts,
      signIn,
      throttle,
      baseUrl: config.providerBaseUrl,
      registration: config.registration,
    })
    await api.register(registrationRoutes, { mode: config.registration, sendsMail })
    await api.register(emailChangeRoutes, { emailChanges: createEmailChangeStore(sql, invalidate) })
    await api.register(mailedLinkRoutes, { confirmations, resets, requestReset, throttle, sendsMail })
    await api.register(paypalWebhookRoutes, billing)

    await api.register(async (signedIn) => {
      await signedIn.register(requireSession)
      await signedIn.register(profileRoutes, { accounts, confirmPassword, deletions, throttle })
      await signedIn.register(preferencesRoutes, { preferences })
      await signedIn.register(sessionRoutes, { sessions })
      await signedIn.register(confirmRoutes, { sessions, devices, confirmPassword, twoFactor })
      await signedIn.register(twoFactorRoutes, { twoFactor, store: twoFactorStore, confirmPassword })
      await signedIn.register(emailConfirmationRoutes, { confirmations, throttle, sendsMail })
      await signedIn.register(photoRoutes, { photos: createPhotoStore(sql), throttle })
      await signedIn.register(auditRoutes, { audit: createAuditStore(sql) })
      await signedIn.register(apiKeyRoutes, { apiKeys, configs, usage, vault, provider, throttle })
      const tokens = createSecureTokenStore(sql, invalidate, createPlanLimits(config.planLimits))
      await signedIn.register(secureTokenRoutes, { tokens, preferences, usage, vault, throttle })
      await signedIn.register(proxyConfigRoutes, {
        configs,
        apiKeys,
        vault,
        provider,
        isAllowed,
        resolve,
        isOwnAddress: createIsOwnAddress(config),
        confirmPassword,
        throttle,
      })
      await signedIn.register(billingRoutes, { ...billing, usage, throttle })
      const tail = new LogTail(logs, logger)
      await signedIn.register(logTailRoutes, { tail, limit: limits.tails, sessions, credentialWatch })
      const reads = new FairQueue({ limit: limits.queries, ...readsAtOnce })
      await signedIn.register(logExportRoutes, { logs, reads, limit: limits.exports })
      await signedIn.register(async (reading) => {
        await reading.register(fairReads, { reads })
        const completeUntil = createIngestWatermark(pipeline)
        await reading.register(requestLogRoutes, { logs, completeUntil })
        await reading.register(analyticsRoutes, {
          analytics: createAnalyticsStore(clickhouse),
          usage,
          preferences,
          completeUntil,
          rollupRetentionDays: config.rollupRetentionDays,
        })
      })
      await signedIn.register(pipelineRoutes, { pipeline, deadLetters })
    })

    await api.register(apiReference)
    await api.register(methodNotAllowed)
    await api.register(webApp)
  })
}
