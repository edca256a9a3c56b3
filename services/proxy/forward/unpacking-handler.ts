import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Dispatcher, interceptors } from 'undici'
import { mib } from '#core/units.ts'

type Handler = Dispatcher.DispatchHandler
type Controller = Dispatcher.DispatchController

/** So much of a response is unpacked at the most. */
const unpack = interceptors.decompress({ skipErrorResponses: false, maxSize: 1_024 * mib })

function unpacking(handler: Handler): Handler {
  let between = handler
  unpack((_options, wrapped) => {
    between = wrapped
    return true
  })({ path: '/', method: 'GET' }, handler)
  return between
}

/**
 * Unpacks on its way what a provider compresses, although it is asked not to. Undici's interceptor would stand in the way
 * of every response and cost a sixth of a request's processor time; this one puts it in only where there is something
 * to unpack. The handler's request starts twice then: first with the connection's controller, then with the other one.
 */
export class UnpackingHandler implements Handler {
  #handler: Handler
  #context: unknown

  constructor(handler: Handler) {
    this.#handler = handler
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.#context = context
    this.#handler.onRequestStart!(controller, context)
  }

  onRequestUpgrade(controller: Controller, status: number, headers: IncomingHttpHeaders, socket: Duplex): void {
    this.#handler.onRequestUpgrade!(controller, status, headers, socket)
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders, statusMessage?: string): void {
    if (headers['content-encoding'] !== undefined) {
      this.#handler = unpacking(this.#handler)
      this.#handler.onRequestStart!(controller, this.#context)
    }
    this.#handler.onResponseStart!(controller, status, headers, statusMessage)
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#handler.onResponseData!(controller, chunk)
  }

  onResponseEnd(controller: Controller, trailers: IncomingHttpHeaders): void {
    this.#handler.onResponseEnd!(controller, trailers)
  }

  onResponseError(controller: Controller, error: Error): void {
    this.#handler.onResponseError!(controller, error)
  }
}
