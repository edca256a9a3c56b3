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
import { apiPlugin } from './plugin.ts'
import { createProviderCheck } from './credentials/provider-check.ts'
import { createThrottle } from './sign-in/throttle.ts'

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
  const billing = createBilling(sql, config)
  const isAllowed = createAddressGuard(config.upstreamAllowCidrs)
  const resolve = createNameResolver({ limit: limits.lookups, servers: config.dnsServers })
  const provider = createProviderCheck({ isAllowed, resolve, egressProxyUrl: config.upstreamProxyUrl })
  const deletions = createAccountDeletions(queue[0])
  const logs = createRequestLogStore(clickhouse, config)
  const credentialWatch = new CredentialWatch()
  onInvalidation(subscriber, (accountId) => credentialWatch.check(accountId))
  const deadLetters = createDeadLetters(queue)
  lifecycle.onStop('dead letters', () => deadLetters.close())
  lifecycle.onStop('provider checks', () => provider.close())
  lifecycle.onStop('account deletions', () => deletions.close())
  const cookies = { secret: config.sessionSecret, secure: config.secure }
  await app.register(apiPlugin, {
    accounts: createAccountStore(sql, config.mail !== undefined),
    emailChanges: createEmailChangeStore(sql),
    sessions: createSessionStore(sql),
    devices: createDeviceCookieStore(sql),
    confirmations: createEmailConfirmationStore(sql),
    resets: createPasswordResetStore(sql),
    apiKeys: createApiKeyStore(sql),
    tokens: createSecureTokenStore(sql, createPlanLimits(config.planLimits)),
    configs: createProxyConfigStore(sql),
    preferences: createPreferencesStore(sql),
    audit: createAuditStore(sql),
    photos: createPhotoStore(sql),
    twoFactor: createTwoFactorStore(sql),
    logs,
    usage: createUsageStore(clickhouse),
    analytics: createAnalyticsStore(clickhouse),
    pipeline: createPipelineStore(clickhouse, queue),
    deadLetters,
    tail: new LogTail(logs, logger),
    rollupRetentionDays: config.rollupRetentionDays,
    billing,
    vault: createVault(config.masterKeys),
    invalidate: createInvalidation(state, logger),
    credentialWatch,
    throttle: createThrottle(state),
    provider,
    isAllowed,
    resolve,
    isOwnAddress: createIsOwnAddress(config),
    isKnownHost: createKnownHosts(config),
    limits,
    deletions,
    sessionTokens: createSessionTokens(cookies),
    deviceTokens: createDeviceTokens(cookies),
    secure: config.secure,
    providerBaseUrl: config.providerBaseUrl,
    registration: config.registration,
    sendsMail: config.mail !== undefined,
    metrics,
  })
}
