import { v7 as uuidv7 } from 'uuid'
import type { Sql, Transaction } from '#core/resources.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { Problem } from '#core/problem.ts'
import type { UpdateProfile, User } from '#schemas/account.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { changeAccount } from './change-account.ts'
import { violatedConstraint } from './constraints.ts'
import { isReserved, tellOfEmailChange } from './sign-in/email-changes.ts'
import { foldName } from './fold-name.ts'
import { takeInvite } from './sign-in/invites.ts'
import { requireRow } from './require-row.ts'
import { revokeLinks } from './sign-in/one-time-links.ts'
import { readerOf, tellOfDeletion } from './owner-mails.ts'
import { insertSession, type NewSession } from './sign-in/sessions.ts'

export interface NewAccount {
  username: string
  email: string
  passwordHash: string
  firstName: string | null
  lastName: string | null
  /** The provider's base URL that the account starts with. */
  baseUrl: string
}

export interface Credentials {
  accountId: string
  passwordHash: string
  isDisabled: boolean
}

export type AccountStore = ReturnType<typeof createAccountStore>

/** @param hasMailbox whether mails can be sent to owners */
export const createAccountStore = (sql: Sql, invalidate: Invalidate, hasMailbox = false) => ({
  /**
   * Creates the account together with its proxy configuration, and signs it in.
   * @param inviteCode taken for it; undefined: none is needed
   * @throws Problem `username-taken` | `email-taken` | `invite-invalid`
   */
  register: (account: NewAccount, session: NewSession, inviteCode?: string): Promise<User> =>
    namingTaken(() =>
      sql.begin(async (tx) => {
        const id = uuidv7()
        if (inviteCode !== undefined) await takeInvite(tx, inviteCode, id, account.email)
        const [user] = await tx<[User]>`
          insert into accounts (id, username, username_key, email, email_key, password_hash, first_name, last_name)
          values (${id}, ${account.username}, ${foldName(account.username)}, ${account.email}, ${foldName(account.email)},
            ${account.passwordHash}, ${account.firstName}, ${account.lastName})
          returning ${userColumns(sql)}`
        await refuseReserved(tx, id, account.email)
        await tx`insert into proxy_configs (account_id, base_url) values (${id}, ${account.baseUrl})`
        await insertSession(tx, id, session)
        await recordAudit(tx, id, 'account-created', account.username, session)
        return user
      }),
    ),

  async get(accountId: string): Promise<User | undefined> {
    const [user] = await sql<User[]>`select ${userColumns(sql)} from accounts where id = ${accountId}`
    return user
  },

  /** The one call without an account: it is how a sign-in finds it. */
  async findCredentials(username: string): Promise<Credentials | undefined> {
    const [credentials] = await sql<Credentials[]>`
      select id as "accountId", password_hash as "passwordHash", disabled_at is not null as "isDisabled"
      from accounts where username_key = ${foldName(username)}`
    return credentials
  },

  async getPasswordHash(accountId: string): Promise<string | undefined> {
    const [row] = await sql<{ passwordHash: string }[]>`
      select password_hash as "passwordHash" from accounts where id = ${accountId}`
    return row?.passwordHash
  },

  /**
   * Another email address is unconfirmed again.
   * @param mayMove whether mails may go to another address than before
   * @throws Problem `confirm_password` | `username-taken` | `email-taken`
   */
  updateProfile: (accountId: string, profile: UpdateProfile, mayMove: boolean, by: AuditSource): Promise<User> =>
    namingTaken(() =>
      sql.begin(async (tx) => {
        await tx`select 1 from accounts where id = ${accountId} for update`
        const reader = await readerOf(tx, accountId)
        const movesAway = reader.recipient !== profile.email
        if (movesAway && !mayMove) throw new Problem('confirm_password')
        const emailKey = foldName(profile.email)
        const [user] = await tx<User[]>`
          update accounts set first_name = ${profile.firstName}, last_name = ${profile.lastName},
            username = ${profile.username}, username_key = ${foldName(profile.username)},
            email = ${profile.email}, email_key = ${emailKey},
            email_confirmed_at = case when email_key = ${emailKey} then email_confirmed_at end
          where id = ${accountId} returning ${userColumns(sql)}`
        await recordAudit(tx, accountId, 'profile-changed', profile.username, by)
        if (movesAway) {
          await refuseReserved(tx, accountId, profile.email)
          await recordAudit(tx, accountId, 'email-changed', profile.email, by)
          if (hasMailbox) await tellOfEmailChange(tx, accountId, reader, profile.email, by)
        }
        return requireRow(user)
      }),
    ),

  /**
   * A new password ends every session; the one that is given takes their place. It is as confirmed as the one with
   * this id was: the password came without a code.
   */
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

  /** The same password, hashed with the parameters of today; only if it is still the one that was checked. */
  async rehash(accountId: string, oldHash: string, passwordHash: string): Promise<void> {
    await sql`
      update accounts set password_hash = ${passwordHash} where id = ${accountId} and password_hash = ${oldHash}`
  },

  /**
   * Removes the account and all its rows in Postgres.
   * @param alongside what else has to be set in motion; if it fails, nothing is removed
   */
  remove: (accountId: string, by: AuditSource, alongside: () => Promise<void>): Promise<void> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      if (hasMailbox) await tellOfDeletion(tx, accountId, by)
      await tx`delete from accounts where id = ${accountId}`
      await alongside()
    }),
})

async function namingTaken<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'accounts_username_key_key') throw new Problem('username-taken', taken('username', error))
    if (constraint === 'accounts_email_key_key') throw new Problem('email-taken', taken('email', error))
    throw error
  }
}

/** Checked after the change, so that a change of another account a moment ago is seen. */
async function refuseReserved(tx: Transaction, accountId: string, email: string): Promise<void> {
  if (await isReserved(tx, accountId, email)) throw new Problem('email-taken', taken('email'))
}

const taken = (field: string, cause?: unknown) => ({
  errors: [{ field, message: field === 'email' ? 'This email address is taken' : 'This username is taken' }],
  cause,
})

export const userColumns = (sql: Sql) => sql`
  id, username, email, email_confirmed_at is not null as "isEmailConfirmed", first_name as "firstName",
  last_name as "lastName", profile_image_url as "profileImageUrl", plan as "subscriptionStatus",
  is_operator as "isOperator"`
