import type { LimitScope } from '#core/limits/shared-limit.ts'
import type { LimitDecision } from './decision.ts'
import type { Limiter } from './limiter.ts'
import type { Account } from '../auth/credential-cache.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import { type RequestLimits, RequestShare } from '../request/request-share.ts'
import { isAddressAllowed } from '../auth/token-restrictions.ts'

/** Why a request goes no further. Headers are name, value, name, value … */
export interface Rejection {
  code: ErrorCode
  headers: readonly string[]
}

/** A request that may go on: counted by the limits, with its part of what the process has. */
export interface Admission {
  share: RequestShare
  decision: LimitDecision
}

interface AdmissionOptions {
  limiter: Limiter
  requestLimits: RequestLimits
}

/** Everything that can stop a request before its body is read: whoever has nothing left sends none. */
export async function admit(
  account: Account,
  clientAddress: string | undefined,
  { limiter, requestLimits }: AdmissionOptions,
): Promise<Admission | Rejection> {
  const share = RequestShare.take(requestLimits, account.accountId)
  if (typeof share === 'string') return rejectionAtLimit(share)
  const code = restrictionOf(account, clientAddress)
  try {
    const decision = code ? undefined : await limiter.check(account)
    if (decision && !decision.refusal) return { share, decision }
    share.release()
    return code ? { code, headers: [] } : { code: decision!.refusal!, headers: decision!.headers }
  } catch (error) {
    share.release()
    throw error
  }
}

/** What an account or a process that has too much under way is told; it is soon over. */
export const rejectionAtLimit = (scope: LimitScope): Rejection => ({
  code: scope === 'account' ? 'too_much_at_once' : 'overloaded',
  headers: ['retry-after', '1'],
})

function restrictionOf(account: Account, clientAddress: string | undefined): ErrorCode | undefined {
  if (!isAddressAllowed(account, clientAddress)) return 'address_not_allowed'
  return account.keys.length === 0 ? 'no_active_key' : undefined
}
