import type { Sql } from '#core/resources.ts'
import type { User } from '#schemas/account.ts'

/** A session ends after this long without a request, and after the second span in any case. Seconds. */
const idleSeconds = 7 * 24 * 3_600
const absoluteSeconds = 30 * 24 * 3_600

export interface NewSession {
  idHash: Buffer
  clientAddress: string
  userAgent: string | null
}

export type SessionStore = ReturnType<typeof createSessionStore>

export const createSessionStore = (sql: Sql) => ({
  absoluteSeconds,

  async create(accountId: string, session: NewSession): Promise<void> {
    await sql`
      insert into sessions (id_hash, account_id, expires_at, client_address, user_agent)
      values (${session.idHash}, ${accountId}, now() + ${absoluteSeconds} * interval '1 second',
        ${session.clientAddress}, ${session.userAgent})`
  },

  /** The account behind a session that still holds; marks it as used at most once a minute. */
  async resolve(idHash: Buffer): Promise<User | undefined> {
    const [row] = await sql<(User & { stale: boolean })[]>`
      select a.id, a.username, a.email, a.first_name as "firstName", a.last_name as "lastName",
        a.profile_image_url as "profileImageUrl", a.plan as "subscriptionStatus",
        s.last_seen_at < now() - interval '1 minute' as stale
      from sessions s join accounts a on a.id = s.account_id
      where s.id_hash = ${idHash} and s.expires_at > now()
        and s.last_seen_at > now() - ${idleSeconds} * interval '1 second'`
    if (!row) return undefined
    const { stale, ...user } = row
    if (stale) await sql`update sessions set last_seen_at = now() where id_hash = ${idHash}`
    return user
  },

  async end(accountId: string, idHash: Buffer): Promise<void> {
    await sql`delete from sessions where account_id = ${accountId} and id_hash = ${idHash}`
  },
})
