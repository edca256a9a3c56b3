import type { Sql } from '#core/resources.ts'
import type { ProxyConfig } from '#schemas/proxy-config.ts'

export type ProxyConfigStore = ReturnType<typeof createProxyConfigStore>

export const createProxyConfigStore = (sql: Sql) => ({
  async get(accountId: string): Promise<ProxyConfig> {
    const [config] = await sql<ProxyConfig[]>`
      select base_url as "baseUrl", timeout_ms as timeout, retry_attempts as "retryAttempts",
        rate_limit_enabled as "rateLimitEnabled", max_requests_per_minute as "maxRequestsPerMinute",
        log_bodies as "logBodies", log_client_address as "logClientAddress"
      from proxy_configs where account_id = ${accountId}`
    return config!
  },
})
