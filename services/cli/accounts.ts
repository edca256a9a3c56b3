import { once } from 'node:events'
import { readConfig } from '#core/config.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { createLogger } from '#core/logger.ts'
import { openPostgres, openStateRedis, statePatienceMs } from '#core/resources.ts'
import { second } from '#core/units.ts'
import { createInviteStore } from '#store/postgres/sign-in/invites.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import { hashPassword } from '#shared/passwords.ts'
import { type AccountCommands, createAccountCommands } from './account-commands.ts'
import { CommandError } from './command-error.ts'
import { createCommandLine } from './command-line.ts'

async function run(command: (commands: AccountCommands) => Promise<string>): Promise<void> {
  const config = readConfig()
  const logger = createLogger({ ...config, logLevel: 'warn' })
  const sql = openPostgres(config, 'accounts')
  const state = openStateRedis(config, statePatienceMs.person)
  state.on('error', () => undefined)
  // Without it the change is made all the same; the proxies notice it by themselves within seconds.
  await once(state, 'ready', { signal: AbortSignal.timeout(2 * second) }).catch(() => undefined)
  const invalidate = createInvalidation(state, logger)
  try {
    const commands = createAccountCommands({
      accounts: createOperatorAccountStore(sql, invalidate),
      subscriptions: createPlanStore(sql, invalidate),
      invites: createInviteStore(sql),
      hashPassword,
    })
    console.log(await command(commands))
  } finally {
    state.disconnect()
    await sql.end()
  }
}

try {
  await createCommandLine(run).parseAsync()
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exitCode = 1
}
