import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { RequestEvent, RequestOutcome } from '#schemas/request-event.ts'
import type { Recorder } from './exchange.ts'
import { firstEvent, type ReceivedRequest } from './first-event.ts'
import { toLoggedHeaders } from './headers.ts'
import type { ProviderKey } from './principal-cache.ts'
import { acceptUpgrade, refuseUpgrade, toUpstreamHandshake } from './realtime-handshake.ts'
import { type RefusalCode, refusals } from './refusals.ts'
import { upstreamRefusal } from './upstream-errors.ts'

export interface RealtimeInput extends ReceivedRequest {
  socket: Duplex
  /** What the client sent behind its handshake. */
  head: Buffer
  protocols: readonly string[]
  arrivedAt: number
  recorder: Recorder
  onStart(): void
  onFinish(event: RequestEvent): void
}

/** One WebSocket from the handshake to its end: two sockets joined, noted as one request with its duration and bytes. */
export class RealtimeSession implements Dispatcher.DispatchHandler {
  readonly #input: RealtimeInput
  readonly #event: RequestEvent
  #controller: Dispatcher.DispatchController | undefined
  #upstream: Duplex | undefined
  #finished = false

  constructor(input: RealtimeInput) {
    this.#input = input
    this.#event = { ...firstEvent(input), streamed: true }
    input.socket.on('error', () => this.#end('client_aborted'))
    input.socket.on('close', () => this.#end(this.#upstream ? 'completed' : 'client_aborted'))
  }

  open(dispatcher: Dispatcher, key: ProviderKey): void {
    const { caller, request, target, protocols, recorder } = this.#input
    this.#event.apiKeyId = key.id
    this.#event.attempts = 1
    recorder.begin(this.#event)
    this.#input.onStart()
    dispatcher.dispatch(
      {
        origin: caller.origin,
        method: 'GET',
        path: caller.basePath + target.pathAndQuery,
        headers: toUpstreamHandshake(request, key.secret, protocols),
        upgrade: 'websocket',
        headersTimeout: caller.timeout,
      },
      this,
    )
  }

  refuse(code: RefusalCode, headers: readonly string[] = []): void {
    this.#event.errorMessage = refusals[code].message
    this.#event.status = refusals[code].status
    refuseUpgrade(this.#input.socket, code, this.#input.id, headers)
    this.#end('completed')
  }

  /** Ends it from our side, because the gateway stops. */
  close(): void {
    this.#input.socket.destroy()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#finished) controller.abort(new Error('the client is gone'))
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    upstream: Duplex,
  ): void {
    const { socket, head, id } = this.#input
    if (this.#finished) return void upstream.destroy()
    this.#upstream = upstream
    this.#event.status = status
    this.#event.timeToFirstByteMs = this.#elapsedMs()
    this.#event.responseHeaders = toLoggedHeaders(headers)
    acceptUpgrade(socket, headers, id)
    upstream.on('error', () => this.#end('upstream_failed'))
    upstream.on('close', () => socket.destroy())
    upstream.on('data', (chunk: Buffer) => (this.#event.responseBytes += chunk.length))
    socket.on('data', (chunk: Buffer) => (this.#event.requestBytes += chunk.length))
    if (head.length > 0) {
      this.#event.requestBytes += head.length
      upstream.write(head)
    }
    upstream.pipe(socket)
    socket.pipe(upstream)
  }

  /** The provider answered like any other request: there will be no WebSocket. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) this.#failed('upstream_invalid')
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#failed(upstreamRefusal(error))
  }

  #failed(code: RefusalCode): void {
    if (this.#finished) return
    this.#event.status = refusals[code].status
    this.#event.errorMessage = refusals[code].message
    refuseUpgrade(this.#input.socket, code, this.#input.id)
    this.#end('upstream_failed')
  }

  #end(outcome: RequestOutcome): void {
    if (this.#finished) return
    this.#finished = true
    this.#event.outcome = outcome
    this.#event.responseTimeMs = this.#elapsedMs()
    this.#input.recorder.end(this.#event)
    this.#input.onFinish(this.#event)
    this.#upstream?.destroy()
    if (!this.#upstream) this.#controller?.abort(new Error('the session is over'))
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#input.arrivedAt)
  }
}
