import type { Vault } from '#shared/vault.ts'
import { type SealedSecret, sealedColumns, type SealedSecretStore } from '#store/postgres/sealed-secrets.ts'

/** A secret that could not be opened; it stays as it is. */
export interface RotationFailure {
  table: string
  id: string
  reason: string
}

export interface Rotation {
  failures: RotationFailure[]
  /** Secrets that another master key still seals: failures, and what a service sealed that was not restarted. */
  left: number
}

interface RotationOptions {
  secrets: SealedSecretStore
  vault: Pick<Vault, 'rewrap' | 'sealingVersion'>
  /** Called with lines of progress. */
  report: (line: string) => void
  batch?: number
}

const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * Wraps the data keys of all secrets by the master key that seals, while everything goes on: a secret that changes in the
 * meantime is left to its change. Cut off, it goes on where it was, because only what is outdated is looked at.
 */
export async function rotateKeys({ secrets, vault, report, batch = 200 }: RotationOptions): Promise<Rotation> {
  const failures: RotationFailure[] = []
  let left = 0

  function rewrap(table: string, { id, sealed, context }: SealedSecret): Buffer | undefined {
    try {
      return vault.rewrap(sealed, context)
    } catch (error) {
      failures.push({ table, id, reason: error instanceof Error ? error.message : String(error) })
      return undefined
    }
  }

  for (const column of sealedColumns) {
    const total = await secrets.countOutdated(column, vault.sealingVersion)
    let rewrapped = 0
    let after = beforeAll
    for (;;) {
      const page = await secrets.findOutdated(column, vault.sealingVersion, { after, limit: batch })
      if (page.length === 0) break
      for (const secret of page) {
        const renewed = rewrap(column.table, secret)
        if (renewed && (await secrets.replace(column, secret, renewed))) rewrapped += 1
        after = secret.id
      }
      report(`${column.table}: ${rewrapped} of ${total} secrets rewrapped`)
    }
    const outdated = await secrets.countOutdated(column, vault.sealingVersion)
    report(`${column.table}: ${outdated} secrets of older master keys left`)
    left += outdated
  }
  return { failures, left }
}
