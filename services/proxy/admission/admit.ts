import type { RequestEvent } from '#schemas/request-event.ts'
import type { Account } from '../auth/account.ts'
import { isAddressAllowed } from '../auth/token-restrictions.ts'
import { RequestShare } from '../request/request-share.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import type { LimitDecision } from './decision.ts'
import type { Limiter } from './limiter.ts'
import { type Rejection, rejectionAtLimit } from './rejection.ts'
import type { RequestServices } from './services.ts'

type Refunds = Pick<Limiter, 'refund' | 'spend'>

/** A request that was counted by the limits and holds its share of the process's resources. */
export class Admission {
  readonly share: RequestShare
  /** Response headers: name, value, name, value … */
  readonly headers: readonly string[]
  readonly #account: Account
  readonly #decision: LimitDecision
  readonly #limiter: Refunds
  #isOver = false

  constructor(share: RequestShare, account: Account, decision: LimitDecision, limiter: Refunds) {
    this.share = share
    this.headers = decision.headers
    this.#account = account
    this.#decision = decision
    this.#limiter = limiter
  }

  /**
   * The request did not go to the provider. Has no effect after `complete` or another `cancel`.
   * @param part of the counts to refund
   */
  cancel(part: 'all' | 'quota' = 'all'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.share.release()
    this.#limiter.refund(this.#account, this.#decision, part)
  }

  complete({ attempts, costNanoUsd }: RequestEvent): void {
    if (attempts === 0) return this.cancel()
    this.#isOver = true
    this.share.release()
    if (costNanoUsd) this.#limiter.spend(this.#account, costNanoUsd)
  }
}

/** Checks everything that can be checked before the body is read. */
export async function admit(
  account: Account,
  clientAddress: string | undefined,
  { limiter, requestLimits }: Pick<RequestServices, 'limiter' | 'requestLimits'>,
): Promise<Admission | Rejection> {
  const share = RequestShare.take(requestLimits, account.accountId)
  if (typeof share === 'string') return rejectionAtLimit(share)
  let admission: Admission | undefined
  try {
    const restriction = restrictionOf(account, clientAddress)
    if (restriction) return { code: restriction, headers: [] }
    const decision = await limiter.check(account)
    if (decision.rejection) return { code: decision.rejection, headers: decision.headers }
    admission = new Admission(share, account, decision, limiter)
    return admission
  } finally {
    if (!admission) share.release()
  }
}

function restrictionOf(account: Account, clientAddress: string | undefined): ErrorCode | undefined {
  if (!isAddressAllowed(account, clientAddress)) return 'address_not_allowed'
  return account.keys.length === 0 ? 'no_active_key' : undefined
}
