import { v7 as uuidv7 } from 'uuid'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { Problem } from '#core/problem.ts'
import type { UpdateProfile, User } from '#schemas/account.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { changeAccount } from './change-account.ts'
import { rejectTaken, takenProblem } from './constraints.ts'
import { isReserved, notifyOfEmailChange } from './sign-in/email-changes.ts'
import { foldName } from './fold-name.ts'
import { takeInvite } from './sign-in/invites.ts'
import { firstRow, hasRows, requireRow } from './require-row.ts'
import { revokeLinks } from './sign-in/one-time-links.ts'
import { requireNoCapture } from './orders.ts'
import { readerOf } from './mails/mail-readers.ts'
import { insertMail } from './mails/outbox.ts'
import { holdSession, insertSession, type NewSession } from './sign-in/sessions.ts'
import { userColumns } from './user-columns.ts'

interface NewAccount {
  username: string
  email: string
  passwordHash: string
  firstName: string | null
  lastName: string | null
  baseUrl: string
}

export type AccountStore = ReturnType<typeof createAccountStore>

/** @param hasMailbox true if mails can be sent */
export const createAccountStore = (sql: Sql, invalidate: Invalidate, hasMailbox = false) => ({
  /**
   * Creates the account with its proxy configuration, and signs it in.
   * @param inviteCode is used up; undefined if none is required
   * @throws Problem `username-taken` | `email-taken` | `invite-invalid`
   */
  register: (account: NewAccount, session: NewSession, inviteCode?: string): Promise<User> =>
    rejectTaken(taken, () =>
      sql.begin(async (tx) => {
        const id = uuidv7()
        if (inviteCode !== undefined) await takeInvite(tx, inviteCode, id, account.email)
        const user = await insertAccount(tx, id, account)
        await insertSession(tx, id, session)
        await recordAudit(tx, id, 'account-created', account.username, session)
        return user
      }),
    ),

  /** Creates the account with its proxy configuration. @throws Problem `username-taken` | `email-taken` */
  create: (account: NewAccount, by: AuditSource): Promise<User> =>
    rejectTaken(taken, () =>
      sql.begin(async (tx) => {
        const user = await insertAccount(tx, uuidv7(), account)
        await recordAudit(tx, user.id, 'account-created', account.username, by)
        return user
      }),
    ),

  get: (accountId: string) => firstRow(sql<User[]>`select ${userColumns(sql)} from accounts where id = ${accountId}`),

  /** Takes no account id, because sign-in uses this to find the account. */
  findCredentials: (username: string) =>
    firstRow(sql<{ accountId: string; passwordHash: string; isDisabled: boolean }[]>`
      select id as "accountId", password_hash as "passwordHash", disabled_at is not null as "isDisabled"
      from accounts where username_key = ${foldName(username)}`),

  async getPasswordHash(accountId: string): Promise<string | undefined> {
    const [row] = await sql<{ passwordHash: string }[]>`
      select password_hash as "passwordHash" from accounts where id = ${accountId}`
    return row?.passwordHash
  },

  /**
   * A new email address starts unconfirmed.
   * @param mayChangeEmail if false, a new address is rejected
   * @throws Problem `confirm_password` | `username-taken` | `email-taken`
   */
  updateProfile: (accountId: string, profile: UpdateProfile, mayChangeEmail: boolean, by: AuditSource): Promise<User> =>
    rejectTaken(taken, () =>
      sql.begin(async (tx) => {
        const [before] = await tx<{ usernameKey: string }[]>`
          select username_key as "usernameKey" from accounts where id = ${accountId} for update`
        const usernameKey = foldName(profile.username)
        const hasNewUsername = requireRow(before).usernameKey !== usernameKey
        const reader = await readerOf(tx, accountId)
        const hasNewEmail = reader.recipient !== profile.email
        if (hasNewEmail && !mayChangeEmail) throw new Problem('confirm_password')
        if (hasNewEmail) await holdSession(tx, accountId, by)
        const emailKey = foldName(profile.email)
        const [user] = await tx<User[]>`
          update accounts set first_name = ${profile.firstName}, last_name = ${profile.lastName},
            username = ${profile.username}, username_key = ${usernameKey},
            email = ${profile.email}, email_key = ${emailKey},
            email_confirmed_at = case when email_key = ${emailKey} then email_confirmed_at end
          where id = ${accountId} returning ${userColumns(sql)}`
        await recordAudit(tx, accountId, hasNewUsername ? 'username-changed' : 'profile-changed', profile.username, by)
        if (hasNewEmail) {
          await requireUnreserved(tx, accountId, profile.email)
          await recordAudit(tx, accountId, 'email-changed', profile.email, by)
          if (hasMailbox) await notifyOfEmailChange(tx, accountId, reader, profile.email, by)
        }
        return requireRow(user)
      }),
    ),

  /** Ends every session and starts the given one, which keeps the confirmation time of the replaced session. */
  changePassword: (accountId: string, passwordHash: string, session: NewSession, replacedId: string): Promise<void> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      await tx`update accounts set password_hash = ${passwordHash} where id = ${accountId}`
      const ended = await tx<{ id: string; confirmedAt: Date }[]>`
        delete from sessions where account_id = ${accountId} returning id, confirmed_at as "confirmedAt"`
      const { confirmedAt } = requireRow(ended.find(({ id }) => id === replacedId))
      await revokeLinks(tx, accountId, 'reset-password')
      await insertSession(tx, accountId, { ...session, confirmedAt })
      await recordAudit(tx, accountId, 'password-changed', null, session)
    }),

  /** Stores a new hash of the same password. @returns false if another hash was stored meanwhile */
  rehash: (accountId: string, oldHash: string, passwordHash: string): Promise<boolean> =>
    hasRows(sql`
      update accounts set password_hash = ${passwordHash} where id = ${accountId} and password_hash = ${oldHash}`),

  /**
   * Deletes the account and all its rows in Postgres. A worker removes its logs.
   * @throws Problem `payment-pending` while a payment is being captured
   */
  remove: (accountId: string, by: AuditSource): Promise<void> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      const [account] = await tx`select 1 from accounts where id = ${accountId} for update`
      requireRow(account)
      await requireNoCapture(tx, accountId, null)
      if (hasMailbox) await notifyOfDeletion(tx, accountId, by)
      await tx`delete from accounts where id = ${accountId}`
      await tx`insert into account_deletions (account_id) values (${accountId})`
    }),
})

const emailTaken = { code: 'email-taken', field: 'email', message: 'This email address is taken' } as const

const taken = {
  accounts_username_key_key: { code: 'username-taken', field: 'username', message: 'This username is taken' },
  accounts_email_key_key: emailTaken,
} as const

async function insertAccount(tx: Transaction, id: string, account: NewAccount): Promise<User> {
  const [user] = await tx<[User]>`
    insert into accounts (id, username, username_key, email, email_key, password_hash, first_name, last_name)
    values (${id}, ${account.username}, ${foldName(account.username)}, ${account.email}, ${foldName(account.email)},
      ${account.passwordHash}, ${account.firstName}, ${account.lastName})
    returning ${userColumns(tx)}`
  await requireUnreserved(tx, id, account.email)
  await tx`insert into proxy_configs (account_id, base_url) values (${id}, ${account.baseUrl})`
  return user
}

/** Call this before the deletion, in its transaction. */
async function notifyOfDeletion(tx: Transaction, accountId: string, { clientAddress }: AuditSource): Promise<void> {
  const { recipient, isConfirmed, ...reader } = await readerOf(tx, accountId)
  if (!isConfirmed) return
  const content = { kind: 'account-deleted' as const, ...reader, clientAddress, at: new Date().toISOString() }
  await insertMail(tx, null, { dedupeKey: accountId, recipient, content })
}

/** Call this after the change, so that it sees a concurrent change of another account. */
async function requireUnreserved(tx: Transaction, accountId: string, email: string): Promise<void> {
  if (await isReserved(tx, accountId, email)) throw takenProblem(emailTaken)
}
