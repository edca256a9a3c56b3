import { StartupProblem } from '#core/process/startup.ts'
import type { Config } from '#core/config.ts'
import { createVault } from '#shared/vault.ts'
import { sealedColumns, type SealedSecretStore } from './sealed-secrets.ts'

/**
 * Opens a sample of the stored secrets. A damaged one does not matter if its master key opens another one.
 * @throws StartupProblem if a master key opens none of its secrets; not if there are none
 */
export async function requireMasterKeys(
  secrets: Pick<SealedSecretStore, 'sample'>,
  { masterKeys, lostMasterKeys }: Pick<Config, 'masterKeys' | 'lostMasterKeys'>,
): Promise<void> {
  const vault = createVault(masterKeys)
  const [closed, open] = [new Set<number>(), new Set<number>()]
  for (const column of sealedColumns) {
    for (const { sealed, context } of await secrets.sample(column)) {
      const version = sealed[1] ?? 0
      try {
        vault.open(sealed, context)
        open.add(version)
      } catch {
        closed.add(version)
      }
    }
  }
  const wrong = [...closed].find((version) => !open.has(version) && !lostMasterKeys.has(version))
  if (wrong === undefined) return
  throw new StartupProblem(`MASTER_KEYS does not open what is stored: master key ${wrong} is missing or wrong.`)
}
