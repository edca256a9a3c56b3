import type { User } from '#schemas/account.ts'

/** The account for which a request acts, and its permissions. */
export interface SignedIn {
  user: User
  /** Identifies the session or management key in its account's store. */
  credential: { kind: 'session'; id: string } | { kind: 'management-key'; id: string; name: string }
  /** True if the password was confirmed recently, or if the key may do what needs that. */
  isConfirmed: boolean
}

/** Checks whether a credential is still valid, without counting as its use. */
export type IsLive = (accountId: string, credential: SignedIn['credential']) => Promise<boolean>
