import { once } from 'node:events'
import type { Config } from '#core/config.ts'
import { createInvalidation, type Invalidate } from '#shared/invalidation.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import { createVault } from '#shared/vault.ts'
import { createLogger } from '#core/logger.ts'
import { openStateRedis, statePatienceMs } from '#core/redis/connections.ts'
import { openPostgres, type Sql } from '#core/stores/postgres.ts'
import { second } from '#core/units.ts'
import { createInviteStore } from '#store/postgres/sign-in/invites.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { createApiKeyStore } from '#store/postgres/credentials/api-keys.ts'
import { createSecureTokenStore } from '#store/postgres/credentials/secure-tokens.ts'
import { createManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import { createPlanStore } from '#store/postgres/plans.ts'

/** @returns the text to print */
export type AccountCommand = (stores: AccountStores) => Promise<string>

export type AccountStores = ReturnType<typeof createStores>

/** Opens the stores for one command. @returns the text to print */
export async function runAccountCommand(config: Config, command: AccountCommand): Promise<string> {
  // The standard output is for the result, which may be read as JSON.
  const logger = createLogger({ ...config, logLevel: 'warn' }, process.stderr)
  const sql = openPostgres(config, 'accounts')
  const state = openStateRedis(config, statePatienceMs.user)
  state.on('error', () => undefined)
  // Without Redis, the change is still made; proxies notice it by themselves within seconds.
  await once(state, 'ready', { signal: AbortSignal.timeout(2 * second) }).catch(() => undefined)
  try {
    return await command(createStores(sql, createInvalidation(state, logger), config))
  } finally {
    state.disconnect()
    await sql.end()
  }
}

const createStores = (sql: Sql, invalidate: Invalidate, config: Config) => ({
  accounts: createOperatorAccountStore(sql, invalidate),
  accountStore: createAccountStore(sql, invalidate, config.mail !== undefined),
  subscriptions: createPlanStore(sql, invalidate),
  invites: createInviteStore(sql),
  apiKeys: createApiKeyStore(sql, invalidate),
  tokens: createSecureTokenStore(sql, invalidate, createPlanLimits(config.planLimits)),
  managementKeys: createManagementKeyStore(sql, invalidate),
  vault: createVault(config.masterKeys),
  /** The provider's base URL for new accounts. */
  baseUrl: config.providerBaseUrl,
})
