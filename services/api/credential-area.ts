import type { FastifyInstance } from 'fastify'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import type { UsageStore } from '#store/clickhouse/usage.ts'
import { createApiKeyStore } from '#store/postgres/credentials/api-keys.ts'
import { createModelPriceStore } from '#store/postgres/model-prices.ts'
import { createPreferencesStore } from '#store/postgres/preferences.ts'
import { createProxyConfigStore } from '#store/postgres/proxy-configs.ts'
import { createSecureTokenStore } from '#store/postgres/credentials/secure-tokens.ts'
import { createKeyStateStore } from '#store/redis/key-states.ts'
import { createTokenSpendingStore } from '#store/redis/token-spending.ts'
import { createProviderCheck } from './credentials/provider-check.ts'
import type { ApiContext } from './api-context.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { modelPriceRoutes } from './routes/model-prices.ts'
import { proxyConfigRoutes } from './routes/proxy-config.ts'
import { secureTokenRoutes } from './routes/secure-tokens.ts'
import type { ConfirmPassword } from './sign-in/confirm-password.ts'

/** Provider keys, secure tokens, the proxy configuration and model prices. */
export async function addCredentialRoutes(
  app: FastifyInstance,
  { sql, state, limits, config, invalidate, throttle, vault, urls }: ApiContext,
  { usage, confirmPassword }: { usage: UsageStore; confirmPassword: ConfirmPassword },
): Promise<void> {
  const apiKeys = createApiKeyStore(sql, invalidate)
  const configs = createProxyConfigStore(sql, invalidate)
  const provider = createProviderCheck(urls.rules)

  // Only by account: one whose numbers ClickHouse is slow to read must not hold up the lists of others.
  const reads = new FairQueue({ limit: limits.queries, perAccount: 1, atOnce: Number.POSITIVE_INFINITY })
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.method === 'HEAD') route.config = { ...route.config, turns: reads }
  })
  await app.register(apiKeyRoutes, {
    apiKeys,
    states: createKeyStateStore(state),
    configs,
    usage,
    vault,
    provider,
    throttle,
  })
  const tokens = createSecureTokenStore(sql, invalidate, createPlanLimits(config.planLimits))
  await app.register(secureTokenRoutes, {
    tokens,
    preferences: createPreferencesStore(sql),
    usage,
    spending: createTokenSpendingStore(state),
    vault,
    throttle,
  })
  await app.register(proxyConfigRoutes, {
    configs,
    apiKeys,
    vault,
    provider,
    urls,
    confirmPassword,
    throttle,
  })
  await app.register(modelPriceRoutes, { prices: createModelPriceStore(sql, invalidate) })
}
