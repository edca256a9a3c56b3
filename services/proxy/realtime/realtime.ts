import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { rejectedStatus } from '#core/http/http-guard.ts'
import { newRequestId } from '#core/http/request-id.ts'
import { findEndpoint } from '#schemas/endpoints.ts'
import { decodedIfValid } from '#schemas/percent-encoding.ts'
import { product } from '#schemas/product.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { RequestOutcome } from '#schemas/request-outcome.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import type { CredentialWatch } from '#shared/credential-watch.ts'
import { type Admission, admit } from '../admission/admit.ts'
import { patienceMs, pauseForOthers, type Reservation } from '../admission/reservation.ts'
import { recordRejection, type Rejection, rejectionOf } from '../admission/rejection.ts'
import type { RequestServices } from '../admission/services.ts'
import { likelySessionPrompt } from '../admission/estimate.ts'
import { hasBudget } from '../admission/token-state.ts'
import type { Account } from '../auth/account.ts'
import { isAddressAllowed, isModelAllowed } from '../auth/token-restrictions.ts'
import { forward } from '../forward/forward.ts'
import { RetryPlan } from '../keys/retry-plan.ts'
import { type ReceivedRequest, RequestLogBuilder } from '../log/request-log-builder.ts'
import { RequestTiming } from '../log/request-timing.ts'
import { noMetadata } from '../request/metadata.ts'
import { tagsOf, warningHeaders } from '../request/tags.ts'
import { modelsInQuery, parseTarget } from '../request/target.ts'
import type { OpenResponses } from '../usage/open-responses.ts'
import { SessionReader } from '../usage/session-reader.ts'
import { SpoolFullError } from '../spool/spool-full-error.ts'
import { RealtimeAttempt, type Upgrade } from './attempt.ts'
import { acceptUpgrade, isWebSocket, readProtocols, rejectUpgrade, relayRejection } from './handshake.ts'
import { closeFrame } from './frame-header.ts'
import { joinSockets, policyViolation, type SessionEnd } from './join-sockets.ts'
import { type CheckMessage, isPriced, messageCheckOf } from './message-models.ts'

const goingAway = 1_001

/** GPT-Live takes no model from the query, in any spelling of the path. */
const isLive = (endpoint: string): boolean => /\/live\/sessions(?:\/|$)/i.test(decodedIfValid(endpoint))

const limitNames = ['dailyBudgetNanoUsd', 'monthlyBudgetNanoUsd', 'tokensPerMinute'] as const

interface RealtimeOptions extends RequestServices {
  credentialWatch: CredentialWatch
}

interface UpgradeRequest {
  id: string
  request: IncomingMessage
  socket: Duplex
  /** Bytes that the client sent after its handshake. */
  head: Buffer
}

/** An admitted WebSocket that is about to open. */
interface Session extends Pick<UpgradeRequest, 'socket' | 'head'> {
  received: ReceivedRequest
  protocols: readonly string[]
  /** Headers of the handshake response: name, value, name, value … */
  headers: readonly string[]
  /** Whether the credential would be accepted now. */
  isStillValid: () => Promise<boolean>
  /** Undefined if every message is allowed. */
  checkMessage: CheckMessage | undefined
}

/** Proxies WebSockets with the same authentication, limits and logs as other requests. Rejects other upgrades. */
export function createRealtime(options: RealtimeOptions) {
  const { authenticate, hops, recorder, health, pools, clientAddressOf, logFailure, observer } = options
  const open = new Set<SessionEnd>()

  async function handleUpgrade({ id, request, socket, head }: UpgradeRequest): Promise<void> {
    const timing = new RequestTiming(performance.now())
    const target = request.url?.startsWith(`${product.proxyPath}/v1/`) ? parseTarget(request.url) : undefined
    if (rejectedStatus(request) || !target || !isWebSocket(request)) {
      return rejectUpgrade(socket, 'upgrade_not_supported', id)
    }
    if (hops.hasPassed(request.headers)) return rejectUnauthenticated(socket, 'loop_detected', id)
    const { protocols, tokens } = readProtocols(request)
    const identify = async () => authenticate(request, tokens)
    const account = await identify()
    if (typeof account === 'string') return rejectUnauthenticated(socket, account, id)
    const [model = null, ...others] = isLive(target.endpoint) ? [] : modelsInQuery(target)
    if (others.length > 0) return rejectUpgrade(socket, 'ambiguous_model', id)
    const clientAddress = clientAddressOf(request)
    const metadata = { ...noMetadata, model, isStream: true }
    const tagged = tagsOf(request, account)
    const unread = { tags: tagged.tags, logsBodies: false, body: undefined, metadata }
    const received: ReceivedRequest = { id, request, clientAddress, account, target, timing, ...unread }
    received.trace = options.startTrace?.(received)
    const admission = await admit(received, options)
    if ('code' in admission) return reject(received, socket, admission)
    try {
      const endpoint = findEndpoint(target.endpoint)
      const naming = model === null ? endpoint?.webSocketModelIn : undefined
      if (!naming && !isModelAllowed(account, model)) {
        admission.cancel()
        return reject(received, socket, { code: 'model_not_allowed' })
      }
      const rejection = admission.needsReservation ? await admission.reserve(received, true) : undefined
      if (rejection) {
        admission.cancel()
        return reject(received, socket, rejection)
      }
      const isStillValid = async () => {
        const now = await identify()
        // Messages are checked against the models allowed at the handshake.
        return (
          typeof now !== 'string' &&
          isAddressAllowed(now, clientAddress) &&
          JSON.stringify(now.models) === JSON.stringify(account.models) &&
          // A session counts by the limits with which it began.
          limitNames.every((name) => (now[name] ?? Infinity) >= (account[name] ?? Infinity))
        )
      }
      const checkMessage = messageCheckOf(account, naming, endpoint?.webSocketIsBilledByTime === true)
      const headers = [...admission.headers, ...warningHeaders(tagged)]
      await runSession({ socket, head, received, protocols, headers, isStillValid, checkMessage }, admission)
    } catch (error) {
      admission.cancel()
      // A rejection can't be recorded once the client has its response or has left, or while the spool is full.
      if (!socket.writable || error instanceof SpoolFullError) throw error
      logFailure(error, id)
      await reject(received, socket, rejectionOf(error))
    } finally {
      admission.share.release()
    }
  }

  async function runSession(session: Session, admission: Admission): Promise<void> {
    const { socket, received, protocols, headers, isStillValid } = session
    const { id, request, account, target, timing, trace } = received
    const dispatcher = pools.get(account.accountId, account.origin)
    const plan = new RetryPlan({ account, endpoint: target.endpoint, isRepeatable: true, isIdempotent: true, health })
    const log = new RequestLogBuilder(received)
    const begun = log.begin(recorder, plan.first.id)
    recorder.confirm(begun)
    const { accountId, expiresAt } = account
    const sessionEnd: SessionEnd = new EventEmitter()
    const end = () => void sessionEnd.emit('end', closeFrame(policyViolation, 'the token has ended or changed'))
    const stopWatching = options.credentialWatch.watch({ accountId, expiresAt, isStillValid, end })
    open.add(sessionEnd)
    const leave = () => socket.destroy()
    sessionEnd.once('end', leave)
    // A client that leaves now may only end its side, which joined sockets relay.
    if (socket.readableEnded) leave()
    socket.once('end', leave)
    try {
      const proxied = { received, socket, protocols, plan, dispatcher, hop: hops.next(request.headers) }
      const handshake = await forward({ plan, log, timing, trace, client: socket }, (key, traceHeaders) =>
        new RealtimeAttempt(proxied, key, traceHeaders).run(),
      )
      socket.off('end', leave)
      sessionEnd.off('end', leave)
      const result = handshake.kind === 'completed' ? handshake.result : undefined
      const rejection = result && 'body' in result ? result : undefined
      if (result) log.responded(result.status, result.headers)
      if (rejection?.error) log.providerFailed(rejection.error)
      const outcome =
        result && 'upstream' in result ? await join(session, result, admission, log, sessionEnd) : handshake.kind
      if (handshake.kind === 'upstream_failed') log.failed(handshake.code, false)
      const event = log.complete(outcome !== 'upstream_failed' && options.isCutting() ? 'interrupted' : outcome)
      await recorder.end(event, begun)
      if (rejection) relayRejection(socket, rejection, id, headers)
      if (handshake.kind === 'upstream_failed')
        rejectUpgrade(socket, handshake.code, id, headers, { timeoutMs: account.timeout })
      // A handshake costs nothing, nor does a session without a response.
      log.mayHaveCost = event.responses !== undefined
      void admission.countTokens(tokensOf(event))
      admission.complete(event, log)
      observer.finished(event)
      trace?.end(event)
    } finally {
      stopWatching()
      open.delete(sessionEnd)
    }
  }

  function rejectUnauthenticated(socket: Duplex, code: ProxyErrorCode, id: string): void {
    observer.unauthenticated(code)
    rejectUpgrade(socket, code, id)
  }

  async function reject(
    received: ReceivedRequest,
    socket: Duplex,
    { code, headers, detail }: Rejection,
  ): Promise<void> {
    await recordRejection(received, code, options)
    rejectUpgrade(socket, code, received.id, headers, { detail })
  }

  return {
    /** For the server's `upgrade` event. */
    onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const id = newRequestId()
      socket.on('error', () => socket.destroy())
      handleUpgrade({ id, request, socket, head }).catch((error: unknown) => {
        logFailure(error, id)
        if (socket.writable) rejectUpgrade(socket, rejectionOf(error).code, id)
      })
    },
    /** Ends all open sessions. */
    close(): void {
      for (const session of open) session.emit('end', closeFrame(goingAway, 'the gateway restarts'))
    },
  }
}

function join(
  { socket, head, headers, received, checkMessage }: Session,
  upgrade: Upgrade,
  admission: Admission,
  log: RequestLogBuilder,
  sessionEnd: SessionEnd,
): Promise<RequestOutcome> {
  acceptUpgrade(socket, upgrade, received.id, headers)
  const { upstream, secret } = upgrade
  const { share, reservation } = admission
  async function check(limited: Reservation): Promise<ProxyErrorCode | undefined> {
    const hasTokens = admission.countTokens(tokensOf(log.event))
    const code = await checkReservation(limited, log.event.costNanoUsd)
    return code ?? ((await hasTokens) ? undefined : 'token_tokens_limited')
  }
  /** Checks of all responses so far: that of a response without a cost ends before those of earlier ones. */
  let checking: Promise<ProxyErrorCode | undefined> | undefined
  const checkSpending =
    reservation &&
    (() => {
      const latest = check(reservation)
      checking = Promise.all([checking, latest]).then(([earlier, code]) => earlier ?? code)
      return latest
    })
  const { account, target } = received
  const endpoint = findEndpoint(target.endpoint)
  const likelyPromptTokens = () => likelySessionPrompt(target.endpoint, log.event.requestBytes)
  const session = new SessionReader(likelyPromptTokens, endpoint?.webSocketIsBilledByTime)
  // A model that the handshake names is the one that is priced.
  const hasUnknownModel = hasBudget(account) && received.metadata.model === null
  const checkModel = () => (hasUnknownModel && !isSessionPriced(account, session) ? 'model_not_priced' : undefined)
  const checkRequest = reservation?.isBudgeted
    ? async () =>
        // The responses for which it waits are checked as they end.
        (await checking) ?? (await coverRequest(reservation, session.open, log.event)) ?? checking
    : undefined
  const requestsNameModels = endpoint?.webSocketModelIn === 'response.create'
  const checks = { checkMessage, checkModel, checkSpending, checkRequest, requestsNameModels }
  return joinSockets({ client: socket, head, upstream, secret, share, session, sessionEnd, ...checks }, log)
}

const isSessionPriced = (account: Account, { model, backendModel, isBilledByTime }: SessionReader): boolean =>
  isPriced(account, model, isBilledByTime) && (backendModel === null || isPriced(account, backendModel, false))

const tokensOf = ({ promptTokens, completionTokens }: Pick<RequestEvent, 'promptTokens' | 'completionTokens'>) =>
  (promptTokens ?? 0) + (completionTokens ?? 0)

/** @param costNanoUsd cost of the session so far */
async function checkReservation(
  reservation: Reservation,
  costNanoUsd: number | null,
): Promise<ProxyErrorCode | undefined> {
  if (!reservation.isBudgeted) return undefined
  if (costNanoUsd === null) return 'model_not_priced'
  return !reservation.recordCost(costNanoUsd) || (await reservation.extend()) ? undefined : 'budget_exceeded'
}

/** Waits until the budget covers another response besides those under way, or until there are none. */
async function coverRequest(
  reservation: Reservation,
  open: Pick<OpenResponses, 'count'>,
  event: Pick<RequestEvent, 'costNanoUsd'>,
): Promise<ProxyErrorCode | undefined> {
  const endsAt = performance.now() + patienceMs
  while (open.count > 0 && !(await reservation.cover(event.costNanoUsd ?? 0, open.count + 1))) {
    if (performance.now() >= endsAt) return 'budget_exceeded'
    await pauseForOthers()
  }
  return undefined
}
