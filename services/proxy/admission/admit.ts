import type { RequestEvent } from '#schemas/request-event.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import type { Account } from '../auth/account.ts'
import { bypassesGateway, isAddressAllowed } from '../auth/token-restrictions.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import { RequestShare } from '../request/request-share.ts'
import type { Target } from '../request/target.ts'
import { costsNothing } from '../usage/metering.ts'
import { type LimitDecision, unlimited } from './decision.ts'
import { estimate, estimateSession } from './estimate.ts'
import type { Reservation } from './reservation.ts'
import type { SentRequest } from './expectations.ts'
import type { Limiter } from './limiter.ts'
import { type Rejection, rejectionAtLimit } from './rejection.ts'
import type { RequestServices } from './services.ts'
import { hasBudget, needsReservation } from './token-state.ts'

type AdmissionLimiter = Pick<Limiter, 'refund' | 'complete' | 'reserve' | 'countTokens' | 'expectations'>

/**
 * An admitted request: it holds a share of the process's resources, which the caller releases, and is counted by the
 * limits (or will be in `reserve`).
 */
export class Admission {
  readonly share: RequestShare
  readonly #account: Account
  readonly #limiter: AdmissionLimiter
  #decision: LimitDecision | undefined
  #isOver = false

  /** @param decision undefined when it depends on the request's size */
  constructor(share: RequestShare, account: Account, decision: LimitDecision | undefined, limiter: AdmissionLimiter) {
    this.share = share
    this.#account = account
    this.#decision = decision
    this.#limiter = limiter
  }

  /** Response headers: name, value, name, value … */
  get headers(): readonly string[] {
    return this.#decision?.headers ?? unlimited.headers
  }

  get reservation(): Reservation | undefined {
    return this.#decision?.reservation
  }

  get needsReservation(): boolean {
    return this.#decision === undefined
  }

  /**
   * Counts a request with a body and reserves its estimated usage. Synchronous unless it has to ask Redis.
   * @param isSession for a WebSocket
   */
  reserve(received: ReceivedRequest, isSession = false): Rejection | undefined | Promise<Rejection | undefined> {
    const account = this.#account
    const { expectations } = this.#limiter
    const expected = (isSession ? estimateSession : estimate)(received, expectations)
    if (!expected.isPriced && hasBudget(account)) return { code: 'model_not_priced' }
    const reserved = this.#limiter.reserve(account, expected)
    return reserved instanceof Promise ? reserved.then((decision) => this.#decide(decision)) : this.#decide(reserved)
  }

  #decide(decision: LimitDecision): Rejection | undefined {
    if (decision.rejection) return toRejection(decision)
    this.#decision = decision
    return undefined
  }

  /**
   * Counts what the responses of a WebSocket session took.
   * @param tokens of all of them so far
   * @returns whether the limit leaves any
   */
  async countTokens(tokens: number): Promise<boolean> {
    return this.#decision === undefined || this.#limiter.countTokens(this.#account, this.#decision, tokens)
  }

  /**
   * For a request that was not sent to the provider. No-op after `complete` or another `cancel`.
   * @param part the counts to refund
   */
  cancel(part: 'all' | 'quota' = 'all'): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#decision) this.#limiter.refund(this.#account, this.#decision, part)
  }

  complete(event: RequestEvent, sent: SentRequest): void {
    if (event.attempts === 0) return this.cancel()
    this.#isOver = true
    if (this.#decision) this.#limiter.complete(this.#account, this.#decision, event, sent)
  }
}

/** Checks everything that can be checked before the body is read. */
export async function admit(
  {
    account,
    clientAddress,
    request,
    target,
  }: Pick<ReceivedRequest, 'account' | 'clientAddress' | 'request' | 'target'>,
  { limiter, requestLimits }: Pick<RequestServices, 'limiter' | 'requestLimits'>,
): Promise<Admission | Rejection> {
  const share = RequestShare.take(requestLimits, account.accountId)
  if (typeof share === 'string') return rejectionAtLimit(share)
  let admission: Admission | undefined
  try {
    const restriction = restrictionOf(account, clientAddress, request.method, target)
    if (restriction) return { code: restriction }
    const isLater = needsReservation(account)
    const decision = isLater
      ? limiter.knownRejection(account, costsNothing(request.method, target.endpoint))
      : await limiter.count(account)
    if (decision?.rejection) return toRejection(decision)
    admission = new Admission(share, account, decision, limiter)
    return admission
  } finally {
    if (!admission) share.release()
  }
}

function toRejection({ rejection, headers, detail }: LimitDecision): Rejection {
  return { code: rejection ?? 'internal_error', headers, detail }
}

function restrictionOf(
  account: Account,
  clientAddress: string | undefined,
  method: string | undefined,
  target: Target,
): ProxyErrorCode | undefined {
  if (!isAddressAllowed(account, clientAddress)) return 'address_not_allowed'
  if (bypassesGateway(account, method, target)) return 'direct_session_not_allowed'
  return account.keys.length === 0 ? 'no_active_key' : undefined
}
