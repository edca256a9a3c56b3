import { readConfigOrExit } from '#core/config.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { createVault } from '#shared/vault.ts'
import { createSealedSecretStore } from '#store/postgres/credentials/sealed-secrets.ts'
import { CommandError, runCommand } from './run-command.ts'
import { rotateKeys } from './rewrap-secrets.ts'

const config = readConfigOrExit()
const sql = openPostgres(config, 'rotate-keys')
await runCommand(async () => {
  const vault = createVault(config.masterKeys)
  const { failures, left } = await rotateKeys({ secrets: createSealedSecretStore(sql), vault, report: console.log })
  for (const { table, id, reason } of failures) console.error(`${table} ${id} can not be opened: ${reason}`)
  if (left > 0) throw new CommandError(`${left} secrets still need another master key: keep it, and run this again.`)
  console.log(`Master key ${vault.sealingVersion} seals every secret. The others are not needed any more.`)
})
await sql.end()
