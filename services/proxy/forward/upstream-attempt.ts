import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import type { ProviderResponse } from '../response/response.ts'
import { UnreadableEncodingError } from './upstream-errors.ts'
import { withSingleValues } from '../request/headers.ts'
import type { ProviderKey } from '../auth/credential-cache.ts'

/** A refused answer is read to its end, so that its connection can be used again, unless it is longer than this. */
const discardedBytes = 64 * kib

/** What an exchange decides while one of its attempts goes on. */
export interface AttemptOwner {
  /** The request is about to be sent. @throws Error when it must not be; the attempt has failed with it then */
  starting(): void
  /** The provider answers. @returns undefined when another attempt follows and this answer is of no interest */
  begin(attempt: Attempt, status: number, headers: IncomingHttpHeaders): ProviderResponse | undefined
  /** Calls back once the client can take more. */
  onceDrained(resume: () => void): void
  /** The answer is whole. */
  done(attempt: Attempt): void
  /** An answer of no interest has been read to its end. */
  discarded(attempt: Attempt): void
  /** No answer: the connection failed, or nothing came in time. */
  failed(attempt: Attempt, error: Error): void
  /** The answer broke off after it had begun. */
  broken(attempt: Attempt, error: Error): void
}

/** One try with one key: undici's handler, which tells its owner what happens. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly key: ProviderKey
  readonly startedAt = performance.now()
  /** Of the answer; 0 and none before it has begun. */
  status = 0
  headers: IncomingHttpHeaders = {}
  readonly #owner: AttemptOwner
  readonly #isHead: boolean
  #controller: Dispatcher.DispatchController | undefined
  #answer: ProviderResponse | undefined
  #discarded: GrowingBuffer | undefined
  #abandoned: Error | undefined

  constructor(owner: AttemptOwner, key: ProviderKey, isHead: boolean) {
    this.#owner = owner
    this.#isHead = isHead
    this.key = key
  }

  /** What was read of an answer of no interest. */
  get discarded(): Buffer | undefined {
    return this.#discarded?.bytes()
  }

  /** The client is gone: the provider need not go on. */
  abandon(reason: Error): void {
    this.#abandoned = reason
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#abandoned) controller.abort(this.#abandoned)
    else this.#owner.starting()
  }

  /** Nobody asked for an upgrade: what comes after it must never reach the client. */
  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    _status: number,
    _headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    socket.destroy()
    controller.abort(new Error('the provider changed the protocol without being asked'))
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#abandoned) return
    if (status > 599) return controller.abort(new errors.HTTPParserError('a status that is none'))
    this.status = status
    this.headers = withSingleValues(headers)
    if (this.#isUnreadable()) return controller.abort(new UnreadableEncodingError())
    this.#answer = this.#owner.begin(this, status, this.headers)
    if (!this.#answer) this.#discarded = new GrowingBuffer()
  }

  /** What could be unpacked no longer names its encoding. */
  #isUnreadable(): boolean {
    const encoding = this.headers['content-encoding'] ?? 'identity'
    return encoding !== 'identity' && !this.#isHead && this.status !== 204 && this.status !== 304
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#answer) {
      if (this.#answer.push(chunk)) return
      controller.pause()
      this.#owner.onceDrained(() => controller.resume())
    } else if (this.#discarded) {
      this.#discarded.append(chunk)
      if (this.#discarded.length > discardedBytes) controller.abort(new Error('a refused answer is too long to read'))
    }
  }

  onResponseEnd(): void {
    if (this.#answer) this.#owner.done(this)
    else if (this.#discarded) this.#owner.discarded(this)
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#abandoned || this.#discarded !== undefined) return
    if (this.#answer) this.#owner.broken(this, error)
    else this.#owner.failed(this, error)
  }
}
