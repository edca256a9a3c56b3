import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#core/resources.ts'
import { Problem } from '#core/problem.ts'
import type { User } from '#schemas/account.ts'
import { violatedConstraint } from './constraints.ts'

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
}

export type AccountStore = ReturnType<typeof createAccountStore>

export const createAccountStore = (sql: Sql) => ({
  /**
   * Creates the account together with its proxy configuration.
   * @throws Problem `username-taken` | `email-taken`
   */
  async register(account: NewAccount): Promise<User> {
    const id = uuidv7()
    try {
      return await sql.begin(async (tx) => {
        const [user] = await tx<User[]>`
          insert into accounts (id, username, username_key, email, email_key, password_hash, first_name, last_name)
          values (${id}, ${account.username}, ${foldName(account.username)}, ${account.email}, ${foldName(account.email)},
            ${account.passwordHash}, ${account.firstName}, ${account.lastName})
          returning ${userColumns(sql)}`
        await tx`insert into proxy_configs (account_id, base_url) values (${id}, ${account.baseUrl})`
        return user!
      })
    } catch (error) {
      const constraint = violatedConstraint(error)
      if (constraint === 'accounts_username_key_key') throw new Problem('username-taken', { cause: error })
      if (constraint === 'accounts_email_key_key') throw new Problem('email-taken', { cause: error })
      throw error
    }
  },

  async get(accountId: string): Promise<User | undefined> {
    const [user] = await sql<User[]>`select ${userColumns(sql)} from accounts where id = ${accountId}`
    return user
  },

  /** The one call without an account: it is how a sign-in finds it. */
  async findCredentials(username: string): Promise<Credentials | undefined> {
    const [credentials] = await sql<Credentials[]>`
      select id as "accountId", password_hash as "passwordHash" from accounts where username_key = ${foldName(username)}`
    return credentials
  },

  async setPlan(accountId: string, plan: User['subscriptionStatus']): Promise<void> {
    await sql`update accounts set plan = ${plan} where id = ${accountId}`
  },
})

/** Spellings that look or read the same become one: compatibility forms and case are folded. */
const foldName = (name: string) => name.normalize('NFKC').toLowerCase()

const userColumns = (sql: Sql) => sql`
  id, username, email, first_name as "firstName", last_name as "lastName",
  profile_image_url as "profileImageUrl", plan as "subscriptionStatus"`
