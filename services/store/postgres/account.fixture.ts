import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#core/resources.ts'

export interface AccountFixture {
  id?: string
  username?: string
  email?: string
  plan?: string
  planUntil?: Date | null
  isEmailConfirmed?: boolean
}

/** An account that nobody can sign in to. @returns its id */
export async function insertAccount(sql: Sql, account: AccountFixture = {}): Promise<string> {
  const {
    id = uuidv7(),
    username = `u-${randomUUID()}`,
    plan = 'free',
    planUntil = null,
    isEmailConfirmed = true,
  } = account
  const email = account.email ?? `${username}@example.com`
  await sql`
    insert into accounts (id, username, username_key, email, email_key, password_hash, plan, plan_until,
      email_confirmed_at)
    values (${id}, ${username}, ${username}, ${email}, ${email}, 'none', ${plan}, ${planUntil},
      ${isEmailConfirmed ? new Date() : null})`
  return id
}

/** For stores in tests without a cache. */
export const invalidateNothing = async (): Promise<void> => undefined
