import type { Sql } from '#core/stores/postgres.ts'
import { isSessionValid } from './sessions.ts'

/** Deletes sessions, links, email changes and invites that have ended. Those of people who never return end only here. */
export async function pruneSignIns(sql: Sql): Promise<void> {
  await sql`delete from sessions s where not (${isSessionValid(sql)})`
  await sql`delete from one_time_links where expires_at < now()`
  await sql`delete from email_changes where expires_at < now()`
  await sql`delete from invites where used_at is null and expires_at < now()`
}
