import { readConfigOrExit } from '#core/config.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { createVault } from '#shared/vault.ts'
import { createSealedSecretStore } from '#store/postgres/credentials/sealed-secrets.ts'
import { CommandError, runPlainCommand } from './run-command.ts'
import { rewrapSecrets } from './rewrap-secrets.ts'

const description = 'Encrypt all secrets with the last of MASTER_KEYS, while the services run.'

await runPlainCommand('npm run rotate-keys', description, async () => {
  const config = readConfigOrExit()
  const sql = openPostgres(config, 'rotate-keys')
  try {
    const vault = createVault(config.masterKeys)
    const { failures, left } = await rewrapSecrets({
      secrets: createSealedSecretStore(sql),
      vault,
      report: console.log,
    })
    for (const { table, id, reason } of failures) console.error(`${table} ${id} cannot be decrypted: ${reason}`)
    if (left > 0)
      throw new CommandError(
        `${left} secrets are still encrypted with an older master key: keep that key, and run this again.`,
      )
    console.log(`Master key ${vault.sealingVersion} encrypts every secret. The other master keys are no longer needed.`)
  } finally {
    await sql.end()
  }
})
