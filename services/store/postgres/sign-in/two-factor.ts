import { Problem } from '#core/problem.ts'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { SecretContext } from '#shared/vault.ts'
import type { TwoFactorStatus } from '#schemas/two-factor.ts'
import { type AuditSource, recordAudit } from '#store/postgres/audit.ts'
import { firstRow, hasRows } from '#store/postgres/require-row.ts'
import { holdSession } from './sessions.ts'

/** The secret can be decrypted only for its account. */
export const twoFactorContext = (accountId: string): SecretContext => ({
  accountId,
  recordId: accountId,
  field: 'two-factor',
})

export type TwoFactorStore = ReturnType<typeof createTwoFactorStore>

export const createTwoFactorStore = (sql: Sql) => ({
  async status(accountId: string): Promise<TwoFactorStatus> {
    const [row] = await sql<TwoFactorStatus[]>`
      select true as enabled,
        (select count(*)::int from recovery_codes r where r.account_id = t.account_id) as "recoveryCodesLeft"
      from two_factor t where t.account_id = ${accountId} and t.enabled_at is not null`
    return row ?? { enabled: false, recoveryCodesLeft: 0 }
  },

  get: (accountId: string) =>
    firstRow(sql<{ sealedSecret: Buffer; isEnabled: boolean }[]>`
      select sealed_secret as "sealedSecret", enabled_at is not null as "isEnabled"
      from two_factor where account_id = ${accountId}`),

  /** Stores a secret, or replaces one that is not enabled yet. @throws Problem `two-factor-enabled` */
  async prepare(accountId: string, sealedSecret: Buffer): Promise<void> {
    const kept = await sql`
      insert into two_factor (account_id, sealed_secret) values (${accountId}, ${sealedSecret})
      on conflict (account_id) do update set sealed_secret = excluded.sealed_secret
      where two_factor.enabled_at is null`
    if (kept.count === 0) throw new Problem('two-factor-enabled')
  },

  /**
   * @param checked the secret, and the time step of the code that was checked with it
   * @throws Problem `conflict` if another secret was stored or enabled since
   */
  enable: (
    accountId: string,
    checked: { sealedSecret: Buffer; step: number },
    codeHashes: readonly Buffer[],
    by: AuditSource,
  ): Promise<void> =>
    sql.begin(async (tx) => {
      await holdSession(tx, accountId, by)
      const enabled = await tx`
        update two_factor set enabled_at = now(), last_used_step = ${checked.step}
        where account_id = ${accountId} and sealed_secret = ${checked.sealedSecret} and enabled_at is null`
      if (enabled.count === 0) throw new Problem('conflict')
      await insertCodes(tx, accountId, codeHashes)
      await recordAudit(tx, accountId, 'two-factor-enabled', null, by)
    }),

  /** @returns false when a code of this step or a later one was used before */
  useStep: (accountId: string, step: number): Promise<boolean> =>
    hasRows(sql`
      update two_factor set last_used_step = ${step} where account_id = ${accountId} and last_used_step < ${step}`),

  /** @returns false when there is no such code, or it was used before */
  useRecoveryCode: (accountId: string, codeHash: Buffer, by: AuditSource): Promise<boolean> =>
    sql.begin(async (tx) => {
      const used = await tx`delete from recovery_codes where account_id = ${accountId} and code_hash = ${codeHash}`
      if (used.count > 0) await recordAudit(tx, accountId, 'recovery-code-used', null, by)
      return used.count > 0
    }),

  /** @throws Problem `two-factor-disabled` */
  renewCodes: (accountId: string, codeHashes: readonly Buffer[], by: AuditSource): Promise<void> =>
    sql.begin(async (tx) => {
      await holdSession(tx, accountId, by)
      const [enabled] = await tx`
        select 1 from two_factor where account_id = ${accountId} and enabled_at is not null for update`
      if (!enabled) throw new Problem('two-factor-disabled')
      await tx`delete from recovery_codes where account_id = ${accountId}`
      await insertCodes(tx, accountId, codeHashes)
      await recordAudit(tx, accountId, 'recovery-codes-renewed', null, by)
    }),

  /** @throws Problem `two-factor-disabled` */
  disable: (accountId: string, by: AuditSource): Promise<void> =>
    sql.begin(async (tx) => {
      await holdSession(tx, accountId, by)
      const removed = await tx`delete from two_factor where account_id = ${accountId} and enabled_at is not null`
      if (removed.count === 0) throw new Problem('two-factor-disabled')
      await recordAudit(tx, accountId, 'two-factor-disabled', null, by)
    }),
})

async function insertCodes(tx: Transaction, accountId: string, codeHashes: readonly Buffer[]): Promise<void> {
  for (const codeHash of codeHashes) {
    await tx`insert into recovery_codes (account_id, code_hash) values (${accountId}, ${codeHash})`
  }
}
