import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#core/stores/postgres.ts'

const defaults = { plan: 'free', planUntil: null as Date | null, isEmailConfirmed: true }
type AccountFixture = Partial<typeof defaults & { id: string; username: string; email: string }>

/** Inserts an account that no password can sign in. @returns its id */
export async function insertAccount(sql: Sql, account: AccountFixture = {}): Promise<string> {
  const { id = uuidv7(), username = `u-${randomUUID()}` } = account
  const { email = `${username}@example.com`, plan, planUntil, isEmailConfirmed } = { ...defaults, ...account }
  await sql`
    insert into accounts (id, username, username_key, email, email_key, password_hash, plan, plan_until,
      email_confirmed_at)
    values (${id}, ${username}, ${username}, ${email}, ${email}, 'none', ${plan}, ${planUntil},
      ${isEmailConfirmed ? new Date() : null})`
  return id
}

export const invalidateNothing = async (): Promise<void> => undefined
