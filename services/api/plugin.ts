import type { FastifyPluginAsync } from 'fastify'
import type { Invalidate } from '#core/invalidation.ts'
import type { LimitsOf } from '#core/plan-limits.ts'
import type { Vault } from '#core/vault.ts'
import type { AccountStore } from '#store/accounts.ts'
import type { ApiKeyStore } from '#store/api-keys.ts'
import type { OrderStore } from '#store/orders.ts'
import type { PlanStore } from '#store/plans.ts'
import type { ProxyConfigStore } from '#store/proxy-configs.ts'
import type { RequestLogStore } from '#store/request-logs.ts'
import type { SecureTokenStore } from '#store/secure-tokens.ts'
import type { SessionStore } from '#store/sessions.ts'
import type { UsageStore } from '#store/usage.ts'
import type { PayPal } from './payments/paypal.ts'
import type { PayPalSites } from './payments/paypal-sites.ts'
import { addBrowserSafety } from './plugins/browser-safety.ts'
import { handleErrors } from './plugins/errors.ts'
import { watchMethods } from './plugins/method-not-allowed.ts'
import { requireSameSite } from './plugins/same-site.ts'
import { createSessions, requireSession } from './plugins/session.ts'
import { accountRoutes } from './routes/account.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { billingRoutes } from './routes/billing.ts'
import { paypalWebhookRoutes } from './routes/paypal-webhook.ts'
import { proxyConfigRoutes } from './routes/proxy-config.ts'
import { requestLogRoutes } from './routes/request-logs.ts'
import { secureTokenRoutes } from './routes/secure-tokens.ts'
import { serveWebApp } from './web-app.ts'

export interface ApiOptions {
  accounts: AccountStore
  sessions: SessionStore
  apiKeys: ApiKeyStore
  tokens: SecureTokenStore
  configs: ProxyConfigStore
  logs: RequestLogStore
  usage: UsageStore
  subscriptions: PlanStore
  orders: OrderStore
  limitsOf: LimitsOf
  /** Missing while payments are not set up. */
  payments: (PayPalSites & { paypal: PayPal; webhookId: string | undefined }) | undefined
  /** Where `Contact Sales` writes to. */
  contactEmail: string | undefined
  vault: Vault
  invalidate: Invalidate
  sessionSecret: string
  /** Whether people reach the site by HTTPS. */
  secure: boolean
  providerBaseUrl: string
}

/** The control plane and the web app. */
export const apiPlugin: FastifyPluginAsync<ApiOptions> = async (app, options) => {
  const { accounts, apiKeys, tokens, configs, logs, usage, vault, invalidate } = options
  const { subscriptions, orders, limitsOf, payments, contactEmail } = options
  handleErrors(app)
  requireSameSite(app)
  app.removeContentTypeParser('text/plain')
  await addBrowserSafety(app, { secure: options.secure, paymentOrigins: payments?.origins ?? [] })
  const sessions = await createSessions(app, {
    sessions: options.sessions,
    secret: options.sessionSecret,
    secure: options.secure,
  })

  const closeMethods = watchMethods(app)
  await app.register(accountRoutes, { accounts, sessions, baseUrl: options.providerBaseUrl })
  await app.register(paypalWebhookRoutes, { orders, invalidate, webhooks: webhooksOf(payments) })
  await app.register(async (signedIn) => {
    requireSession(signedIn, sessions)
    await signedIn.register(apiKeyRoutes, { apiKeys, configs, usage, vault, invalidate })
    await signedIn.register(secureTokenRoutes, { tokens, usage, vault, invalidate })
    await signedIn.register(proxyConfigRoutes, { configs })
    await signedIn.register(billingRoutes, {
      subscriptions,
      orders,
      usage,
      limitsOf,
      invalidate,
      payments,
      contactEmail,
    })
    await signedIn.register(requestLogRoutes, { logs, usage })
  })
  closeMethods()
  await serveWebApp(app)
}

const webhooksOf = (payments: ApiOptions['payments']) =>
  payments?.webhookId ? { paypal: payments.paypal, webhookId: payments.webhookId } : undefined
