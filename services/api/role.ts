import type { FastifyInstance } from 'fastify'
import type { Config } from '#core/config.ts'
import { createInvalidation } from '#core/invalidation.ts'
import type { Logger } from '#core/logger.ts'
import { createPlanLimits } from '#core/plan-limits.ts'
import type { ClickHouseClient, Redis, Sql } from '#core/resources.ts'
import { createVault } from '#core/vault.ts'
import { createAccountStore } from '#store/accounts.ts'
import { createApiKeyStore } from '#store/api-keys.ts'
import { createOrderStore } from '#store/orders.ts'
import { createPlanStore } from '#store/plans.ts'
import { createProxyConfigStore } from '#store/proxy-configs.ts'
import { createRequestLogStore } from '#store/request-logs.ts'
import { createSecureTokenStore } from '#store/secure-tokens.ts'
import { createSessionStore } from '#store/sessions.ts'
import { createUsageStore } from '#store/usage.ts'
import { createPayPal } from './payments/paypal.ts'
import { paypalSites } from './payments/paypal-sites.ts'
import { apiPlugin } from './plugin.ts'

export interface ApiResources {
  sql: Sql
  clickhouse: ClickHouseClient
  state: Redis
}

/** The control plane and the web app on this server. */
export async function addApiRole(
  app: FastifyInstance,
  { sql, clickhouse, state }: ApiResources,
  config: Config,
  logger: Logger,
): Promise<void> {
  const limitsOf = createPlanLimits(config.planLimits)
  const { paypal } = config
  await app.register(apiPlugin, {
    accounts: createAccountStore(sql),
    sessions: createSessionStore(sql),
    apiKeys: createApiKeyStore(sql),
    tokens: createSecureTokenStore(sql, limitsOf),
    configs: createProxyConfigStore(sql),
    logs: createRequestLogStore(clickhouse),
    usage: createUsageStore(clickhouse),
    subscriptions: createPlanStore(sql),
    orders: createOrderStore(sql),
    limitsOf,
    payments: paypal && { ...paypalSites(paypal.apiUrl), paypal: createPayPal(paypal), webhookId: paypal.webhookId },
    contactEmail: config.contactEmail,
    vault: createVault(config.masterKeys),
    invalidate: createInvalidation(state, logger),
    sessionSecret: config.sessionSecret,
    secure: config.publicUrl?.startsWith('https://') ?? false,
    providerBaseUrl: config.providerBaseUrl,
  })
}
