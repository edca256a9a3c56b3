import { kib, second } from '#core/units.ts'
import type { Account } from '../auth/account.ts'

/** A 400 or 403 up to this size is held until it is known whether it rejects the key. */
export const maxHeldBytes = 4 * kib

/** A discarded response up to this size is read to its end, so that the connection can be reused. */
export const maxDiscardedBytes = 64 * kib

/** A discarded response up to this size is kept until the client has a response: it may be that one. */
export const maxKeptBytes = 4 * kib

/** For how long a discarded response may hold its connection, which no limit counts any more, ms. */
export const maxDiscardMs = ({ timeout }: Account): number => Math.min(timeout, 5 * second)
