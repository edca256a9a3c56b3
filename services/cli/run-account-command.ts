import { once } from 'node:events'
import type { Config } from '#core/config.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import { createVault } from '#shared/vault.ts'
import { createLogger } from '#core/logger.ts'
import { openStateRedis, statePatienceMs } from '#core/redis/connections.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { second } from '#core/units.ts'
import { createInviteStore } from '#store/postgres/sign-in/invites.ts'
import { createOperatorAccountStore, operator } from '#store/postgres/operator-accounts.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { createApiKeyStore } from '#store/postgres/credentials/api-keys.ts'
import { createSecureTokenStore } from '#store/postgres/credentials/secure-tokens.ts'
import { createManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import type { AccountCommand } from './command-line.ts'

/** Opens the stores for one command. @returns the text to print */
export async function runAccountCommand(config: Config, command: AccountCommand): Promise<string> {
  // The standard output is for the result, which may be read as JSON.
  const logger = createLogger({ ...config, logLevel: 'warn' }, process.stderr)
  const sql = openPostgres(config, 'accounts')
  const state = openStateRedis(config, statePatienceMs.user)
  state.on('error', () => undefined)
  // Without Redis, the change is still made; proxies notice it by themselves within seconds.
  await once(state, 'ready', { signal: AbortSignal.timeout(2 * second) }).catch(() => undefined)
  const invalidate = createInvalidation(state, logger)
  try {
    const accounts = createOperatorAccountStore(sql, invalidate)
    const plans = createPlanStore(sql, invalidate)
    const tokens = createSecureTokenStore(sql, invalidate, createPlanLimits(config.planLimits))
    const creation = {
      accounts: createAccountStore(sql, invalidate, config.mail !== undefined),
      plans,
      apiKeys: createApiKeyStore(sql, invalidate),
      tokens,
      managementKeys: createManagementKeyStore(sql, invalidate),
      vault: createVault(config.masterKeys),
      baseUrl: config.providerBaseUrl,
    }
    const remove = (accountId: string) => creation.accounts.remove(accountId, operator)
    const invites = createInviteStore(sql)
    return await command({ accounts, tokens, subscriptions: plans, invites, creation, remove })
  } finally {
    state.disconnect()
    await sql.end()
  }
}
