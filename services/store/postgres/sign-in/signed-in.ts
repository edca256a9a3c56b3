import type { Sql } from '#core/resources.ts'
import type { User } from '#schemas/account.ts'

/** Whom a request acts for, and by what right. */
export interface SignedIn {
  user: User
  /** The session or management key, for its account's store. */
  credential: { kind: 'session'; id: string } | { kind: 'management-key'; id: string; name: string }
  /** Whether the password was confirmed a short time ago, or a key may do what needs that. */
  isConfirmed: boolean
}

/** A `User` of an account `a`. */
export const userColumns = (sql: Sql) => sql`
  a.id, a.username, a.email, a.email_confirmed_at is not null as "isEmailConfirmed",
  a.first_name as "firstName", a.last_name as "lastName", a.profile_image_url as "profileImageUrl",
  a.plan as "subscriptionStatus", a.is_operator as "isOperator"`
