import type { IncomingMessage, ServerResponse } from 'node:http'
import { ForbiddenAddressError } from '#core/address-guard.ts'
import type { ClientAddressOf } from '#core/client-address.ts'
import type { Logger } from '#core/logger.ts'
import { type AnswerCache, cachedBytes, cacheTerms, type CacheTurn } from './answer-cache.ts'
import type { Authenticate } from './authenticate.ts'
import { Exchange, type Recorder } from './exchange.ts'
import type { ReceivedRequest } from './first-event.ts'
import type { KeyHealth } from './key-health.ts'
import type { Limiter } from './limits/limiter.ts'
import { PrincipalsUnavailableError } from './principal-cache.ts'
import { type RefusalCode, refuse } from './refusals.ts'
import { BodyTooLargeError, takeBody } from './request-body.ts'
import { readFacts } from './request-facts.ts'
import { SpoolFullError } from './spool/spool.ts'
import { parseTarget } from './target.ts'
import { mayComeFrom, mayUseModel } from './token-bounds.ts'
import type { RequestObserver } from './observer.ts'
import type { UpstreamPools } from './upstream-pools.ts'

export interface ServeOptions {
  clientAddressOf: ClientAddressOf
  authenticate: Authenticate
  pools: UpstreamPools
  recorder: Recorder
  limiter: Limiter
  health: KeyHealth
  cache: AnswerCache
  logger: Logger
  /** Larger request bodies are refused, bytes. */
  maxBodyBytes: number
  observer: RequestObserver
}

export interface ServedRequest {
  id: string
  request: IncomingMessage
  response: ServerResponse
}

/** The one way through the gateway: authenticate, look, limit, forward, record. */
export function createServe(options: ServeOptions): (served: ServedRequest) => Promise<void> {
  const { authenticate, recorder, health, logger, maxBodyBytes } = options

  async function serve(served: ServedRequest): Promise<void> {
    const arrivedAt = performance.now()
    const { id, request, response } = served
    const caller = await authenticate(request)
    if (typeof caller === 'string') {
      options.observer.refused(caller)
      return refuse(response, caller, id)
    }
    const target = parseTarget(request.url ?? '')
    if (!target) return refuse(response, 'invalid_path', id)
    const body = await takeBody(request, response, maxBodyBytes)
    const facts = readFacts(body, request.headers['content-type'], target, caller.models !== null)
    const clientAddress = options.clientAddressOf(request)
    const received: ReceivedRequest = { id, request, clientAddress, caller, target, body, facts }
    await exchange(received, response, arrivedAt)
  }

  async function exchange(received: ReceivedRequest, response: ServerResponse, arrivedAt: number): Promise<void> {
    const { caller, request, target, body, facts, clientAddress } = received
    const terms = cacheTerms(caller, request, target, body)
    let turn: CacheTurn | undefined
    const run = new Exchange({
      ...received,
      response,
      arrivedAt,
      recorder,
      health,
      keepBytes: terms ? cachedBytes : 0,
      onStart: () => options.observer.started(),
      onTurnAway: (error) => complain(error, received.id),
      onFinish(event, answer) {
        turn?.land(answer?.status === 200 ? answer : undefined)
        if (event.costNanoUsd) options.limiter.spend(caller, event.costNanoUsd)
        options.observer.finished(event)
      },
    })
    if (!mayComeFrom(caller, clientAddress)) return run.refuse('address_not_allowed')
    if (!mayUseModel(caller, facts.model)) return run.refuse('model_not_allowed')
    if (caller.keys.length === 0) return run.refuse('no_active_key')
    try {
      turn = terms && (await options.cache.turn(terms))
      if (turn?.answer) return run.replay(turn.answer)
      const decision = options.limiter.check(caller)
      // Noted while Redis answers. What is refused without asking it never began.
      if (decision instanceof Promise || !decision.refusal) run.note(turn ? 'miss' : null)
      const limits = await decision
      if (limits.refusal) return run.refuse(limits.refusal, limits.headers)
      run.forward(options.pools.get(caller.accountId, caller.origin), limits.headers)
    } catch (error) {
      if (error instanceof SpoolFullError) return run.turnAway(error)
      complain(error, received.id)
      run.refuse(refusalOf(error))
    }
  }

  /** The operator's part of an error; the client's is `refusalOf`. */
  function complain(error: unknown, requestId: string): void {
    const code = refusalOf(error)
    if (code === 'internal_error') logger.error({ err: error, requestId }, 'a request failed')
    if (code === 'unavailable') logger.warn({ err: error, requestId }, 'a request was turned away')
  }

  return async (served) => {
    try {
      await serve(served)
    } catch (error) {
      const { id, response } = served
      if (response.destroyed || response.headersSent) return void response.destroy()
      complain(error, id)
      refuse(response, refusalOf(error), id)
    }
  }
}

function refusalOf(error: unknown): RefusalCode {
  if (error instanceof ForbiddenAddressError) return 'upstream_forbidden'
  if (error instanceof BodyTooLargeError) return 'body_too_large'
  const isMissing = error instanceof SpoolFullError || error instanceof PrincipalsUnavailableError
  return isMissing ? 'unavailable' : 'internal_error'
}
