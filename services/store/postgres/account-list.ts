import { v5 as uuidv5 } from 'uuid'
import { dayOf } from '#core/period.ts'
import { Problem } from '#core/problem.ts'
import type { Transaction } from '#core/stores/postgres.ts'
import { day } from '#core/units.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import type { ProblemCode } from '#schemas/problems.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { hasRows, requireRow } from './require-row.ts'

interface AccountListOptions {
  table: 'alerts' | 'api_keys' | 'management_keys' | 'model_prices' | 'secure_tokens' | 'views' | 'webhooks'
  /** The entry's name in audit actions. */
  entry: 'alert' | 'api-key' | 'management-key' | 'model-price' | 'secure-token' | 'view' | 'webhook'
  nameColumn?: 'name' | 'pattern'
  /** `null` means no limit. */
  limitOf: (plan: PlanName) => number | null
  limitProblem?: ProblemCode
}

/** A list of limited length that an account keeps in a table. Changes are recorded in the audit history. */
export const accountList = ({ table, entry, nameColumn = 'name', limitOf, limitProblem }: AccountListOptions) => ({
  /**
   * @param insert receives the current number of entries
   * @throws Problem `limit-reached`, or the list's own problem | `idempotency-mismatch` if the call has added one before
   */
  async add<Row>(
    tx: Transaction,
    accountId: string,
    name: string,
    by: AuditSource,
    insert: (count: number) => PromiseLike<readonly [Row]>,
  ): Promise<Row> {
    // Locks the account, so that parallel calls can't exceed the limit; other rows may still refer to it.
    const [account] = await tx<{ plan: PlanName }[]>`
      select plan from accounts where id = ${accountId} for no key update`
    const limit = limitOf(requireRow(account).plan)
    const auditId = by.idempotencyKey && (await auditIdOf(tx, accountId, by.idempotencyKey))
    const [{ count }] = await tx<[{ count: number }]>`
      select count(*)::int as count from ${tx(table)} where account_id = ${accountId}`
    if (limit !== null && count >= limit) {
      if (limitProblem) throw new Problem(limitProblem)
      const detail = `An account can have ${limit} ${entry.replace('-', ' ')}s. Delete one that is no longer needed.`
      throw new Problem('limit-reached', { detail })
    }
    const [row] = await insert(count)
    await recordAudit(tx, accountId, `${entry}-created`, name, by, auditId)
    return row
  },

  async remove(tx: Transaction, accountId: string, id: string, by: AuditSource): Promise<boolean> {
    const [removed] = await tx<{ name: string }[]>`
      delete from ${tx(table)} where account_id = ${accountId} and id = ${id} returning ${tx(nameColumn)} as name`
    if (removed) await recordAudit(tx, accountId, `${entry}-deleted`, removed.name, by)
    return removed !== undefined
  },
})

/**
 * The entry in the audit history is committed together with what was added. So its id shows whether the call has added it
 * before: it is derived from the key and the day, because a key may be used again a day later.
 */
async function auditIdOf(tx: Transaction, accountId: string, key: string): Promise<string> {
  const now = Date.now()
  const idOn = (time: number) => uuidv5(`${key} ${dayOf(time)}`, accountId)
  const isUsed = await hasRows(tx`
    select 1 from audit_entries
    where id in (${idOn(now)}, ${idOn(now - day)}) and created_at > now() - interval '1 day'`)
  if (isUsed) {
    const detail = 'The first call with this Idempotency-Key has created it, but the response was lost. Use a new one.'
    throw new Problem('idempotency-mismatch', { detail })
  }
  return idOn(now)
}
