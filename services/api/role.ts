import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '#core/config.ts'
import type { ManagementArea } from '#schemas/management-keys.ts'
import { createKnownHosts, requireKnownHost } from '#core/http/known-hosts.ts'
import { measureRequests } from '#core/metrics.ts'
import type { ProcessParts } from '#core/process/process-parts.ts'
import { CredentialWatch } from '#shared/credential-watch.ts'
import { createInvalidation, onInvalidation } from '#shared/invalidation.ts'
import { createDeviceTokens, createSessionTokens } from '#shared/session-token.ts'
import { createVault } from '#shared/vault.ts'
import { createUsageStore } from '#store/clickhouse/usage.ts'
import { createQuotaUsageStore } from '#store/redis/quota-usage.ts'
import { createManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import { createSessionStore } from '#store/postgres/sign-in/sessions.ts'
import type { SignedIn } from '#store/postgres/sign-in/signed-in.ts'
import type { ApiContext, ApiResources } from './api-context.ts'
import { addAlertRoutes } from './alert-area.ts'
import { createAccountArea } from './account-area.ts'
import { addCredentialRoutes } from './credential-area.ts'
import { addLogRoutes } from './log-area.ts'
import { createUrlCheck } from './credentials/url-check.ts'
import { createBilling } from './payments/billing.ts'
import { apiReference } from './plugins/api-reference.ts'
import { bodiesInMemory } from './plugins/bodies-in-memory.ts'
import { browserSafety } from './plugins/browser-safety.ts'
import { createEndWithCredential } from './plugins/end-with-credential.ts'
import { errorHandler } from './plugins/errors.ts'
import { idempotency } from './plugins/idempotency.ts'
import { jsonBody } from './plugins/json-body.ts'
import { knownFields } from './plugins/known-fields.ts'
import { knownMethods, methodNotAllowed } from './plugins/method-not-allowed.ts'
import { openApi } from './plugins/openapi.ts'
import { requestOrigin } from './plugins/request-origin.ts'
import { requireSession, session } from './plugins/session.ts'
import { createTurns, takeTurns } from './plugins/turns.ts'
import { billingRoutes } from './routes/payments/billing.ts'
import { managementKeyRoutes } from './routes/sign-in/management-keys.ts'
import { paypalWebhookRoutes } from './routes/payments/paypal-webhook.ts'
import { createThrottle } from './sign-in/throttle.ts'
import { webApp } from './web-app.ts'

/** Adds the control plane and the web app to a server. */
export async function addApiRole(
  app: FastifyInstance,
  resources: ApiResources,
  config: Config,
  { lifecycle, logger, metrics }: ProcessParts,
): Promise<void> {
  const { sql, clickhouse, state, subscriber, limits, tracer } = resources
  const invalidate = createInvalidation(state, logger)
  const throttle = createThrottle(state)
  const vault = createVault(config.masterKeys, config.lostMasterKeys)
  const urls = createUrlCheck(config, limits.lookups)
  const cookies = { secret: config.sessionSecret, secure: config.secure }
  const tokens = createSessionTokens(cookies)
  const sessions = createSessionStore(sql, invalidate)
  const keys = createManagementKeyStore(sql, invalidate)
  const isLive = (accountId: string, { kind, id }: SignedIn['credential']) =>
    (kind === 'session' ? sessions : keys).isLive(accountId, id)
  const credentialWatch = new CredentialWatch()
  onInvalidation(subscriber, (accountId) => credentialWatch.check(accountId))
  const endWithCredential = createEndWithCredential(credentialWatch, isLive)
  const services = { config, lifecycle, logger, invalidate, throttle, vault, urls, endWithCredential }
  const context: ApiContext = { ...resources, ...services }
  const usage = createUsageStore(clickhouse, config)
  const billing = await createBilling(sql, invalidate, config)
  const account = createAccountArea(context, sessions)

  await app.register(async (api) => {
    measureRequests(api, metrics)
    // Imports OpenTelemetry only if traces are enabled.
    if (tracer) await api.register((await import('./plugins/traces.ts')).traces, { tracer })
    await api.register(errorHandler)
    await api.register(requestOrigin)
    await api.register(jsonBody)
    await api.register(knownFields)
    await api.register(browserSafety, { secure: config.secure, paymentOrigins: billing.payments?.origins ?? [] })
    await api.register(knownHost, config)
    const deviceTokens = createDeviceTokens(cookies)
    await api.register(session, { sessions, keys, tokens, deviceTokens, secure: config.secure })
    await api.register(bodiesInMemory, { limit: limits.bodyBytes })
    await api.register(knownMethods)
    await api.register(openApi, { cookieName: tokens.cookieName })

    await api.register(account.publicRoutes)
    await api.register(paypalWebhookRoutes, { ...billing, throttle })
    const turns = createTurns()
    const inArea = (area: ManagementArea | undefined, routes: FastifyPluginAsync) =>
      api.register(async (signedIn) => {
        await signedIn.register(requireSession, { area, throttle, isLive })
        await signedIn.register(takeTurns, { turns })
        await signedIn.register(idempotency, { state, vault, throttle })
        await signedIn.register(routes)
      })
    await inArea(undefined, async (own) => {
      await own.register(account.personalRoutes)
      await own.register(managementKeyRoutes, { keys })
      await own.register(billingRoutes, { ...billing, usage, quotaUsage: createQuotaUsageStore(state), throttle })
    })
    await inArea('account', account.signedInRoutes)
    const { confirmPassword } = account
    await inArea('credentials', (area) => addCredentialRoutes(area, context, { usage, confirmPassword }))
    await inArea('logs', (area) => addLogRoutes(area, context, { usage }))
    await inArea('alerts', (area) => addAlertRoutes(area, context))

    await api.register(apiReference)
    await api.register(methodNotAllowed)
    await api.register(webApp)
  })
}

/** Registered after the browser headers, so that its error responses have them too. */
const knownHost = fp<Config>(async (app, config) => requireKnownHost(app, createKnownHosts(config)), {
  name: 'known-host',
  dependencies: ['browser-safety'],
})
