import { once } from 'node:events'
import { readConfigOrExit } from '#core/config.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { createLogger } from '#core/logger.ts'
import { openPostgres, openStateRedis, statePatienceMs } from '#core/resources.ts'
import { second } from '#core/units.ts'
import { createInviteStore } from '#store/postgres/sign-in/invites.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
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
    const subscriptions = createPlanStore(sql, invalidate)
    console.log(await command({ accounts, subscriptions, invites: createInviteStore(sql) }))
  } finally {
    state.disconnect()
    await sql.end()
  }
}

await runCommandLine(createCommandLine(run))
