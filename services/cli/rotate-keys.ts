import { readConfigOrExit } from '#core/config.ts'
import { describeFailure } from '#core/describe-failure.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { createVault } from '#shared/vault.ts'
import { createSealedSecretStore } from '#store/postgres/credentials/sealed-secrets.ts'
import { rotateKeys } from './rewrap-secrets.ts'

const config = readConfigOrExit()
const sql = openPostgres(config, 'rotate-keys')
try {
  const vault = createVault(config.masterKeys)
  const { failures, left } = await rotateKeys({ secrets: createSealedSecretStore(sql), vault, report: console.log })
  for (const { table, id, reason } of failures) console.error(`${table} ${id} can not be opened: ${reason}`)
  if (left > 0) {
    console.error(`${left} secrets still need another master key: keep it, and run this again.`)
    process.exitCode = 1
  } else {
    console.log(`Master key ${vault.sealingVersion} seals every secret. The others are not needed any more.`)
  }
} catch (error) {
  console.error(describeFailure(error))
  process.exitCode = 1
} finally {
  await sql.end()
}
