import { messageOf } from '#core/errors.ts'
import type { Vault } from '#shared/vault.ts'
import { sealedColumns, type SealedSecretStore } from '#store/postgres/credentials/sealed-secrets.ts'

interface RewrapOptions {
  secrets: SealedSecretStore
  vault: Pick<Vault, 'rewrap' | 'sealingVersion'>
  report: (line: string) => void
  batch?: number
}

const lowestId = '00000000-0000-0000-0000-000000000000'

/**
 * Wraps the data keys of all secrets with the sealing master key while the services run: a secret that changes
 * meanwhile keeps its change. An interrupted run can be repeated, because only outdated secrets are read.
 * @returns secrets that could not be decrypted, and the number that still need an older master key
 */
export async function rewrapSecrets({ secrets, vault, report, batch = 200 }: RewrapOptions) {
  const failures: { table: string; id: string; reason: string }[] = []
  let left = 0
  for (const column of sealedColumns) {
    const { table } = column
    const total = await secrets.countOutdated(column, vault.sealingVersion)
    let rewrapped = 0
    let after = lowestId
    for (;;) {
      const page = await secrets.findOutdated(column, vault.sealingVersion, { after, limit: batch })
      if (page.length === 0) break
      for (const secret of page) {
        after = secret.id
        let renewed: Buffer
        try {
          renewed = vault.rewrap(secret.sealed, secret.context)
        } catch (error) {
          failures.push({ table, id: secret.id, reason: messageOf(error) })
          continue
        }
        if (await secrets.replace(column, secret, renewed)) rewrapped += 1
      }
      report(`${table}: ${rewrapped} of ${total} secrets rewrapped`)
    }
    const outdated = await secrets.countOutdated(column, vault.sealingVersion)
    report(`${table}: ${outdated} secrets still encrypted with an older master key`)
    left += outdated
  }
  return { failures, left }
}
