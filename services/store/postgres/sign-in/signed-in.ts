import type { User } from '#schemas/account.ts'

/** The account that a request acts for, and its permissions. */
export interface SignedIn {
  user: User
  /** The session or management key, for its account's store. */
  credential: { kind: 'session'; id: string } | { kind: 'management-key'; id: string; name: string }
  /** Whether the password was confirmed a short time ago, or a key may do what needs that. */
  isConfirmed: boolean
}
