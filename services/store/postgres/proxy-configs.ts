import { Problem } from '#core/problem.ts'
import type { Sql } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import type { ProxyConfig, SaveProxyConfig } from '#schemas/proxy-config.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { changeAccount } from './change-account.ts'
import { requireRow } from './require-row.ts'

export type ProxyConfigStore = ReturnType<typeof createProxyConfigStore>

export const createProxyConfigStore = (sql: Sql, invalidate: Invalidate) => ({
  async get(accountId: string): Promise<ProxyConfig> {
    const [config] = await sql<ProxyConfig[]>`
      select ${configColumns(sql)} from proxy_configs where account_id = ${accountId}`
    return requireRow(config)
  },

  /**
   * Omitted fields keep their values.
   * @param confirmed for another origin: `isSession` if the session has confirmed its password recently; `isOrigin`,
   * needed only while keys are stored, if the user has agreed to the origin
   * @throws Problem `confirm_password` | `confirm_origin`
   */
  save: (
    accountId: string,
    changes: Omit<SaveProxyConfig, 'currentPassword'>,
    confirmed: { isSession: boolean; isOrigin: boolean },
    by: AuditSource,
  ): Promise<ProxyConfig> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      const [current] = await tx<{ baseUrl: string }[]>`
        select base_url as "baseUrl" from proxy_configs where account_id = ${accountId} for update`
      const { origin } = new URL(changes.baseUrl)
      const isNewOrigin = new URL(requireRow(current).baseUrl).origin !== origin
      if (isNewOrigin && !confirmed.isSession) throw new Problem('confirm_password')
      if (isNewOrigin && !confirmed.isOrigin) {
        const [key] = await tx`select 1 from api_keys where account_id = ${accountId} limit 1`
        if (key) throw new Problem('confirm_origin')
      }
      const [saved] = await tx<[ProxyConfig]>`
        update proxy_configs set base_url = ${changes.baseUrl},
          timeout_ms = coalesce(${changes.timeout ?? null}, timeout_ms),
          retry_attempts = coalesce(${changes.retryAttempts ?? null}, retry_attempts),
          rate_limit_enabled = coalesce(${changes.rateLimitEnabled ?? null}, rate_limit_enabled),
          max_requests_per_minute = coalesce(${changes.maxRequestsPerMinute ?? null}, max_requests_per_minute),
          log_bodies = coalesce(${changes.logBodies ?? null}, log_bodies),
          log_client_address = coalesce(${changes.logClientAddress ?? null}, log_client_address),
          log_tags = coalesce(${changes.logTags ?? null}, log_tags),
          cache_seconds = coalesce(${changes.cacheSeconds ?? null}, cache_seconds),
          stream_usage = coalesce(${changes.streamUsage ?? null}, stream_usage),
          credential_header = coalesce(${changes.credentialHeader ?? null}, credential_header),
          distribution = coalesce(${changes.distribution ?? null}, distribution),
          updated_at = now()
        where account_id = ${accountId} returning ${configColumns(sql)}`
      await recordAudit(tx, accountId, 'proxy-config-changed', isNewOrigin ? origin : null, by)
      return saved
    }),
})

/** Expects the table `proxy_configs`, with any alias. */
export const configColumns = (sql: Sql) => sql`
  base_url as "baseUrl", timeout_ms as timeout, retry_attempts as "retryAttempts",
  rate_limit_enabled as "rateLimitEnabled", max_requests_per_minute as "maxRequestsPerMinute",
  log_bodies as "logBodies", log_client_address as "logClientAddress", log_tags as "logTags",
  cache_seconds as "cacheSeconds", stream_usage as "streamUsage", credential_header as "credentialHeader",
  distribution`
