import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { TooMuchAtOnceError } from '#core/limits/shared-limit.ts'

/** Not reachable from outside, yet `unicast` to a classifier: the platform address of a large cloud. */
const platformAddresses = new Set(['168.63.129.16'])

/** The target of a connection is not one that an operator allows. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

/** The addresses of a name. @throws Error when it has none, or it can't be known in time */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export type AddressGuard = (address: string) => boolean

/** @param allowedCidrs private ranges that may be reached all the same, from `UPSTREAM_ALLOW_CIDRS` */
export function createAddressGuard(allowedCidrs: readonly string[]): AddressGuard {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    if (allowed.some((range) => address.kind() === range[0].kind() && address.match(range))) return true
    return address.range() === 'unicast' && !platformAddresses.has(address.toString())
  }
}

/**
 * A connector that looks at the address it is about to dial, so a name that changes its mind between look-up and
 * connection (DNS rebinding) gains nothing. A name with one forbidden address among its answers is refused.
 */
export function createGuardedConnector(
  isAllowed: AddressGuard,
  connectTimeoutMs: number,
  resolve: Resolve,
): buildConnector.connector {
  const lookUp = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname)
    if (!addresses.every(({ address }) => isAllowed(address))) throw new ForbiddenAddressError()
    return addresses
  })
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookUp(hostname, (error, addresses) => {
      if (error) return callback(error, '')
      if (options.all) return callback(null, [...addresses])
      return callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
  const connect = buildConnector({ lookup: guardedLookup, timeout: connectTimeoutMs, port: undefined })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !isAllowed(host)) return callback(new ForbiddenAddressError(), null)
    return connect(options, callback)
  }
}

/**
 * Whether a host, as the URL parser writes it, is or now resolves to an address that must not be reached. A name that
 * does not resolve in time passes: nothing is sent here, and the connector looks again before it dials.
 * @throws TooMuchAtOnceError
 */
export async function isForbiddenHost(hostname: string, isAllowed: AddressGuard, resolve: Resolve): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return !isAllowed(host)
  const addresses = await resolve(host).catch((error: unknown) => {
    if (error instanceof TooMuchAtOnceError) throw error
    return []
  })
  return !addresses.every(({ address }) => isAllowed(address))
}
