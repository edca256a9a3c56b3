import type { Sql } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { changeAccount } from './change-account.ts'
import { foldName } from './fold-name.ts'
import { firstRow } from './require-row.ts'
import { revokeLinks } from './sign-in/one-time-links.ts'

export interface AccountOverview {
  id: string
  username: string
  email: string
  plan: PlanName
  planUntil: Date | null
  createdAt: Date
  lastSeenAt: Date | null
  disabledAt: Date | null
  hasTwoFactor: boolean
  isOperator: boolean
  keys: number
  tokens: number
  sessions: number
}

/** Audit source of commands on the server. */
export const operator: AuditSource = { clientAddress: null, userAgent: 'operator' }

export type OperatorAccountStore = ReturnType<typeof createOperatorAccountStore>

export const createOperatorAccountStore = (sql: Sql, invalidate: Invalidate) => ({
  list: (): Promise<AccountOverview[]> => sql<AccountOverview[]>`${overviews(sql)} order by a.created_at, a.id`,

  /** @param name username or email address, case-insensitive */
  find(name: string): Promise<AccountOverview | undefined> {
    const key = foldName(name)
    return firstRow(sql<AccountOverview[]>`
      ${overviews(sql)} where a.username_key = ${key} or a.email_key = ${key} order by a.username_key = ${key} desc limit 1`)
  },

  /** @param id of the account, of one of its provider keys or of its secure tokens, as in metrics and logs */
  findOwner: (id: string): Promise<AccountOverview | undefined> =>
    firstRow(sql<AccountOverview[]>`
      ${overviews(sql)} where a.id::text = ${id}
        or a.id in (select account_id from api_keys where id::text = ${id}
          union all select account_id from secure_tokens where id::text = ${id})`),

  /** Also ends all sessions. @returns false when the account was already disabled */
  disable: (accountId: string): Promise<boolean> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      const disabled = await tx`update accounts set disabled_at = now() where id = ${accountId} and disabled_at is null`
      if (disabled.count === 0) return false
      await tx`delete from sessions where account_id = ${accountId}`
      await recordAudit(tx, accountId, 'account-disabled', null, operator)
      return true
    }),

  enable: (accountId: string): Promise<boolean> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      const enabled = await tx`
        update accounts set disabled_at = null where id = ${accountId} and disabled_at is not null`
      if (enabled.count > 0) await recordAudit(tx, accountId, 'account-enabled', null, operator)
      return enabled.count > 0
    }),

  setOperator: (accountId: string, isOperator: boolean): Promise<boolean> =>
    sql.begin(async (tx) => {
      const changed = await tx`
        update accounts set is_operator = ${isOperator} where id = ${accountId} and is_operator <> ${isOperator}`
      const action = isOperator ? 'operator-granted' : 'operator-revoked'
      if (changed.count > 0) await recordAudit(tx, accountId, action, null, operator)
      return changed.count > 0
    }),

  resetPassword: (accountId: string, passwordHash: string, keepsTwoFactor: boolean): Promise<void> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      await tx`update accounts set password_hash = ${passwordHash} where id = ${accountId}`
      await tx`delete from sessions where account_id = ${accountId}`
      await revokeLinks(tx, accountId, 'reset-password')
      await recordAudit(tx, accountId, 'password-changed', null, operator)
      if (keepsTwoFactor) return
      const removed = await tx`delete from two_factor where account_id = ${accountId}`
      if (removed.count > 0) await recordAudit(tx, accountId, 'two-factor-disabled', null, operator)
    }),
})

const overviews = (sql: Sql) => sql`
  select a.id, a.username, a.email, a.plan, a.plan_until as "planUntil", a.created_at as "createdAt",
    a.disabled_at as "disabledAt", a.is_operator as "isOperator",
    (select max(last_seen_at) from sessions s where s.account_id = a.id) as "lastSeenAt",
    exists (select 1 from two_factor f where f.account_id = a.id and f.enabled_at is not null) as "hasTwoFactor",
    (select count(*)::int from api_keys k where k.account_id = a.id) as keys,
    (select count(*)::int from secure_tokens t where t.account_id = a.id) as tokens,
    (select count(*)::int from sessions s where s.account_id = a.id) as sessions
  from accounts a`
