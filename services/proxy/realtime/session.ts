import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { RequestEvent, RequestOutcome } from '#schemas/request-event.ts'
import type { Recorder } from '../forward/proxied-request.ts'
import { RetryPlan, type NextTry } from '../keys/retry-plan.ts'
import { firstEvent, type ReceivedRequest } from '../log/request-log-builder.ts'
import { hideSecret } from '../request/headers.ts'
import type { KeyHealth } from '../keys/key-health.ts'
import { toLoggedHeaders } from '../log/logged-headers.ts'
import type { ProviderKey } from '../auth/credential-cache.ts'
import { RealtimeAttempt, type RealtimeAttemptOwner } from './attempt.ts'
import { FrameMask } from './frames.ts'
import { acceptUpgrade, rejectUpgrade, toUpstreamHandshake } from './handshake.ts'
import { type ErrorCode, errorResponses } from '../response/error-responses.ts'
import type { RequestTiming } from '../log/request-timing.ts'
import type { OpenRequest } from '../spool/segment.ts'
import { upstreamErrorCode } from '../forward/upstream-errors.ts'

export interface RealtimeInput extends ReceivedRequest {
  socket: Duplex
  /** What the client sent behind its handshake. */
  head: Buffer
  protocols: readonly string[]
  timing: RequestTiming
  recorder: Recorder
  health: KeyHealth
  /** Value of the header by which gateways find loops. */
  hop: string
  /** Whether requests that are under way are being cut off, because the process stops. */
  isCutting(): boolean
  onFinish(event: RequestEvent): void
  /** Something went wrong on our side. */
  onError(error: unknown): void
}

/**
 * One WebSocket from the handshake, over as many attempts as it takes, to its end: two sockets joined, noted as one
 * request with its duration and bytes.
 */
export class RealtimeSession implements RealtimeAttemptOwner {
  readonly #input: RealtimeInput
  readonly #event: RequestEvent
  readonly #plan: RetryPlan
  #begun: OpenRequest | undefined
  #dispatcher: Dispatcher | undefined
  #attempt: RealtimeAttempt | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #upstream: Duplex | undefined
  #finished = false

  constructor(input: RealtimeInput) {
    const { account, health, socket } = input
    this.#input = input
    this.#event = { ...firstEvent(input), streamed: true }
    this.#plan = new RetryPlan({
      keys: account.keys,
      endpoint: input.target.endpoint,
      isReplayable: true,
      retries: account.retryAttempts,
      patienceMs: account.timeout,
      health,
    })
    socket.on('error', () => this.#end('client_aborted'))
    socket.on('close', () => this.#end(this.#outcomeOfClose()))
  }

  /** @throws SpoolFullError when it can't be noted; then it is as if it had not been tried */
  open(dispatcher: Dispatcher): void {
    const { recorder } = this.#input
    const key = this.#plan.first()
    if (!key) return this.#sendError('no_active_key', 'completed')
    this.#dispatcher = dispatcher
    this.#event.apiKeyId = key.id
    try {
      this.#begun = recorder.begin(this.#event)
      recorder.confirm(this.#begun)
    } catch (error) {
      this.#plan.giveUp()
      this.#finished = true
      throw error
    }
    this.#try(key)
  }

  /** Ends it from our side, because the gateway stops. */
  close(): void {
    this.#input.socket.destroy()
  }

  joined(attempt: RealtimeAttempt, status: number, headers: IncomingHttpHeaders, upstream: Duplex): void {
    const { socket, head, id, account } = this.#input
    const { secret } = attempt.key
    this.#plan.recovered(attempt.key.id)
    this.#logAttempt(attempt, String(status))
    if (headers['sec-websocket-extensions'] !== undefined) {
      upstream.destroy()
      return this.#sendError('upstream_invalid', 'upstream_failed')
    }
    this.#upstream = upstream
    this.#event.status = status
    this.#event.timeToFirstByteMs = this.#input.timing.elapsedMs()
    const shown = hideSecret(headers, secret)
    this.#event.responseHeaders = toLoggedHeaders(shown, account.logClientAddress)
    acceptUpgrade(socket, shown, id)
    const mask = FrameMask.of(secret)
    upstream.on('error', () => this.#end('upstream_failed'))
    upstream.on('close', () => socket.destroy())
    upstream.on('data', (chunk: Buffer) => this.#passOn(chunk, upstream, mask))
    upstream.on('end', () => socket.end())
    socket.on('data', (chunk: Buffer) => (this.#event.requestBytes += chunk.length))
    if (head.length > 0) {
      this.#event.requestBytes += head.length
      upstream.write(head)
    }
    socket.pipe(upstream)
  }

  #passOn(chunk: Buffer, upstream: Duplex, mask: FrameMask | undefined): void {
    const { socket } = this.#input
    this.#event.responseBytes += chunk.length
    try {
      if (socket.write(mask?.push(chunk) ?? chunk)) return
      upstream.pause()
      socket.once('drain', () => upstream.resume())
    } catch (error) {
      upstream.destroy(error as Error)
    }
  }

  declined(attempt: RealtimeAttempt, status: number, headers: IncomingHttpHeaders): void {
    this.#logAttempt(attempt, String(status))
    this.#goOn(this.#plan.afterAnswer(attempt.key, status, headers), 'upstream_invalid')
  }

  failed(attempt: RealtimeAttempt, error: Error): void {
    const code = upstreamErrorCode(error)
    this.#logAttempt(attempt, code)
    this.#goOn(this.#plan.afterFailure(attempt.key, code), code)
  }

  #try(key: ProviderKey): void {
    const { account, request, target, protocols, hop } = this.#input
    this.#event.apiKeyId = key.id
    this.#event.attempts += 1
    this.#plan.use(key.id)
    this.#attempt = new RealtimeAttempt(this, key)
    this.#dispatcher!.dispatch(
      {
        origin: account.origin,
        method: 'GET',
        path: account.basePath + target.pathAndQuery,
        headers: toUpstreamHandshake(request, { secret: key.secret, hop, protocols }),
        upgrade: 'websocket',
        headersTimeout: account.timeout,
      },
      this.#attempt,
    )
  }

  /** @param code what the client is told when this was the last attempt */
  #goOn(next: NextTry | undefined, code: ErrorCode): void {
    if (this.#finished) return
    this.#attempt = undefined
    if (next) {
      this.#retryTimer = setTimeout(() => this.#try(next.key), next.afterMs)
      return
    }
    this.#sendError(code, 'upstream_failed')
  }

  #sendError(code: ErrorCode, outcome: RequestOutcome): void {
    this.#event.status = errorResponses[code].status
    this.#event.errorMessage = errorResponses[code].message
    rejectUpgrade(this.#input.socket, code, this.#input.id)
    this.#end(outcome)
  }

  #outcomeOfClose(): RequestOutcome {
    if (this.#input.isCutting()) return 'interrupted'
    return this.#upstream ? 'completed' : 'client_aborted'
  }

  #end(outcome: RequestOutcome): void {
    if (this.#finished) return
    this.#finished = true
    if (this.#event.attempts === 0) this.#plan.giveUp()
    clearTimeout(this.#retryTimer)
    this.#event.outcome = outcome
    this.#event.responseTimeMs = this.#input.timing.elapsedMs()
    const { recorder, onFinish, onError } = this.#input
    recorder
      .end(this.#event, this.#begun)
      .then(() => onFinish(this.#event))
      .catch(onError)
    this.#upstream?.destroy()
    if (this.#attempt && !this.#upstream) this.#plan.release(this.#attempt.key.id)
    this.#attempt?.abandon()
  }

  #logAttempt({ key, startedAt }: RealtimeAttempt, result: string): void {
    this.#event.attemptLog.push(this.#input.timing.attempt(key.id, startedAt, result))
  }
}
