import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Names of the gateways that a request has passed through, comma-separated. */
export const hopHeader = 'x-sallyport-hop'

/** A longer chain of gateways also counts as a loop. */
const maxHops = 8

/** Detects requests that come back to the gateway that sent them. */
export class Hops {
  readonly #name: string

  /** @param secret shared by all processes of an installation */
  constructor(secret: string) {
    this.#name = createHmac('sha256', secret).update('hop').digest('base64url').slice(0, 16)
  }

  hasPassed({ [hopHeader]: hops }: IncomingHttpHeaders): boolean {
    if (hops === undefined) return false
    const names = String(hops).split(',')
    return names.includes(this.#name) || names.length >= maxHops
  }

  next({ [hopHeader]: hops }: IncomingHttpHeaders): string {
    return hops === undefined ? this.#name : `${String(hops)},${this.#name}`
  }
}
