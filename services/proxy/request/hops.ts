import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Names the gateways that a request has passed, the last one at the end. */
export const hopHeader = 'x-sallyport-hop'

/** More gateways in a row are a mistake as well. */
const mostHops = 8

/** Finds requests that come back to the gateway that sent them: each round would make the next one. */
export class Hops {
  readonly #name: string

  /** @param secret the same in all processes of an installation, and in no other */
  constructor(secret: string) {
    this.#name = createHmac('sha256', secret).update('hop').digest('base64url').slice(0, 16)
  }

  hasPassed(headers: IncomingHttpHeaders): boolean {
    const hops = namesIn(headers)
    return hops.includes(this.#name) || hops.length >= mostHops
  }

  /** The header's value for a request that goes on. */
  next(headers: IncomingHttpHeaders): string {
    const before = headers[hopHeader]
    return before === undefined ? this.#name : `${String(before)},${this.#name}`
  }
}

function namesIn(headers: IncomingHttpHeaders): string[] {
  const value = headers[hopHeader]
  return value === undefined ? [] : String(value).split(',')
}
