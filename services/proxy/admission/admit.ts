import type { RequestEvent } from '#schemas/request-event.ts'
import type { Account } from '../auth/account.ts'
import { isAddressAllowed } from '../auth/token-restrictions.ts'
import { type RequestLimits, RequestShare } from '../request/request-share.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import type { LimitDecision } from './decision.ts'
import type { Limiter } from './limiter.ts'
import { type Rejection, rejectionAtLimit } from './rejection.ts'

/** A request that may go on: counted by the limits, with its part of what the process has. */
export class Admission {
  readonly share: RequestShare
  /** Of the response: name, value, name, value … */
  readonly headers: readonly string[]
  readonly #account: Account
  readonly #decision: LimitDecision
  readonly #limiter: Pick<Limiter, 'refund' | 'spend'>
  #isOver = false

  constructor(
    share: RequestShare,
    account: Account,
    decision: LimitDecision,
    limiter: Pick<Limiter, 'refund' | 'spend'>,
  ) {
    this.share = share
    this.headers = decision.headers
    this.#account = account
    this.#decision = decision
    this.#limiter = limiter
  }

  /**
   * The request did not go to the provider. Called once more, after an error on the way out, it gives nothing back twice.
   * @param part what is not counted of it
   */
  cancel(part: 'all' | 'quota' = 'all'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.share.release()
    this.#limiter.refund(this.#account, this.#decision, part)
  }

  /** The request has ended as its log says. */
  complete({ attempts, costNanoUsd }: RequestEvent): void {
    if (attempts === 0) return this.cancel()
    this.#isOver = true
    this.share.release()
    if (costNanoUsd) this.#limiter.spend(this.#account, costNanoUsd)
  }
}

interface AdmissionOptions {
  limiter: Limiter
  requestLimits: RequestLimits
}

/** Everything that can stop a request before its body is read: a client that has nothing left sends none. */
export async function admit(
  account: Account,
  clientAddress: string | undefined,
  { limiter, requestLimits }: AdmissionOptions,
): Promise<Admission | Rejection> {
  const share = RequestShare.take(requestLimits, account.accountId)
  if (typeof share === 'string') return rejectionAtLimit(share)
  const rejection = restrictionOf(account, clientAddress)
  if (rejection) {
    share.release()
    return { code: rejection, headers: [] }
  }
  try {
    const decision = await limiter.check(account)
    if (!decision.rejection) return new Admission(share, account, decision, limiter)
    share.release()
    return { code: decision.rejection, headers: decision.headers }
  } catch (error) {
    share.release()
    throw error
  }
}

function restrictionOf(account: Account, clientAddress: string | undefined): ErrorCode | undefined {
  if (!isAddressAllowed(account, clientAddress)) return 'address_not_allowed'
  return account.keys.length === 0 ? 'no_active_key' : undefined
}
