import { once } from 'node:events'
import { readConfigOrExit } from '#core/config.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import { createVault } from '#shared/vault.ts'
import { createLogger } from '#core/logger.ts'
import { openPostgres, openStateRedis, statePatienceMs } from '#core/resources.ts'
import { second } from '#core/units.ts'
import { createInviteStore } from '#store/postgres/sign-in/invites.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { createApiKeyStore } from '#store/postgres/credentials/api-keys.ts'
import { createSecureTokenStore } from '#store/postgres/credentials/secure-tokens.ts'
import { createManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import { runCommandLine } from './command-error.ts'
import { type AccountCommand, createCommandLine } from './command-line.ts'

async function run(command: AccountCommand): Promise<void> {
  const config = readConfigOrExit()
  const logger = createLogger({ ...config, logLevel: 'warn' })
  const sql = openPostgres(config, 'accounts')
  const state = openStateRedis(config, statePatienceMs.user)
  state.on('error', () => undefined)
  // Without Redis the change is still made; proxies notice it by themselves within seconds.
  await once(state, 'ready', { signal: AbortSignal.timeout(2 * second) }).catch(() => undefined)
  const invalidate = createInvalidation(state, logger)
  try {
    const accounts = createOperatorAccountStore(sql, invalidate)
    const plans = createPlanStore(sql, invalidate)
    const creation = {
      accounts: createAccountStore(sql, invalidate),
      plans,
      apiKeys: createApiKeyStore(sql, invalidate),
      tokens: createSecureTokenStore(sql, invalidate, createPlanLimits(config.planLimits)),
      managementKeys: createManagementKeyStore(sql, invalidate),
      vault: createVault(config.masterKeys),
      baseUrl: config.providerBaseUrl,
    }
    console.log(await command({ accounts, subscriptions: plans, invites: createInviteStore(sql), creation }))
  } finally {
    state.disconnect()
    await sql.end()
  }
}

await runCommandLine(createCommandLine(run))
