import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#core/resources.ts'
import { Problem } from '#core/problem.ts'
import type { UpdateProfile, User } from '#schemas/account.ts'
import { type Origin, recordAudit } from './audit.ts'
import { violatedConstraint } from './constraints.ts'
import { foldName } from './fold-name.ts'
import { takeInvite } from './invites.ts'
import { ofAccount } from './of-account.ts'
import { revokeLinks } from './one-time-links.ts'
import { insertSession, type NewSession } from './sessions.ts'

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

/** @param operators usernames of those who run the installation */
export const createAccountStore = (sql: Sql, operators: readonly string[]) => ({
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
        const [user] = await tx<User[]>`
          insert into accounts (id, username, username_key, email, email_key, password_hash, first_name, last_name)
          values (${id}, ${account.username}, ${foldName(account.username)}, ${account.email}, ${foldName(account.email)},
            ${account.passwordHash}, ${account.firstName}, ${account.lastName})
          returning ${userColumns(sql, operators)}`
        await tx`insert into proxy_configs (account_id, base_url) values (${id}, ${account.baseUrl})`
        await insertSession(tx, id, session)
        await recordAudit(tx, id, 'account-created', account.username, session)
        return user!
      }),
    ),

  async get(accountId: string): Promise<User | undefined> {
    const [user] = await sql<User[]>`select ${userColumns(sql, operators)} from accounts where id = ${accountId}`
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

  /** Another email address is unconfirmed again. @throws Problem `username-taken` | `email-taken` */
  updateProfile: (accountId: string, profile: UpdateProfile, by: Origin): Promise<User> =>
    namingTaken(() =>
      sql.begin(async (tx) => {
        const emailKey = foldName(profile.email)
        const [row] = await tx<(User & { isEmailChanged: boolean })[]>`
          update accounts set first_name = ${profile.firstName}, last_name = ${profile.lastName},
            username = ${profile.username}, username_key = ${foldName(profile.username)},
            email = ${profile.email}, email_key = ${emailKey},
            email_confirmed_at = case when email_key = ${emailKey} then email_confirmed_at end
          where id = ${accountId}
          returning ${userColumns(sql, operators)}, old.email_key <> new.email_key as "isEmailChanged"`
        const { isEmailChanged, ...user } = ofAccount(row)
        await recordAudit(tx, accountId, 'profile-changed', profile.username, by)
        if (isEmailChanged) await recordAudit(tx, accountId, 'email-changed', profile.email, by)
        return user
      }),
    ),

  /** A new password ends every session; the one that is given takes their place. */
  changePassword: (accountId: string, passwordHash: string, session: NewSession): Promise<void> =>
    sql.begin(async (tx) => {
      await tx`update accounts set password_hash = ${passwordHash} where id = ${accountId}`
      await tx`delete from sessions where account_id = ${accountId}`
      await revokeLinks(tx, accountId, 'reset-password')
      await insertSession(tx, accountId, session)
      await recordAudit(tx, accountId, 'password-changed', null, session)
    }),

  /** The same password, hashed with the parameters of today; only if it is still the one that was checked. */
  async rehash(accountId: string, oldHash: string, passwordHash: string): Promise<void> {
    await sql`
      update accounts set password_hash = ${passwordHash} where id = ${accountId} and password_hash = ${oldHash}`
  },

  /**
   * Removes the account and everything that Postgres holds of it.
   * @param alongside what else has to be set in motion; if it fails, nothing is removed
   */
  remove: (accountId: string, alongside: () => Promise<void>): Promise<void> =>
    sql.begin(async (tx) => {
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

const taken = (field: string, cause: unknown) => ({
  errors: [{ field, message: field === 'email' ? 'This email address is taken' : 'This username is taken' }],
  cause,
})

export const userColumns = (sql: Sql, operators: readonly string[]) => sql`
  id, username, email, email_confirmed_at is not null as "isEmailConfirmed", first_name as "firstName", last_name as "lastName",
  profile_image_url as "profileImageUrl", plan as "subscriptionStatus",
  username_key = any(${operators.map(foldName)}) as "isOperator"`
