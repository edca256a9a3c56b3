import { lookup as dnsLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'

/** Not reachable from outside, yet `unicast` to a classifier: the platform address of a large cloud. */
const platformAddresses = new Set(['168.63.129.16'])

/** The target of a connection is not one that an operator allows. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

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
export function createGuardedConnector(isAllowed: AddressGuard, connectTimeoutMs: number): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new ForbiddenAddressError(), '')
      if (options.all) return callback(null, addresses)
      return callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
  const connect = buildConnector({ lookup, timeout: connectTimeoutMs, port: undefined })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !isAllowed(host)) return callback(new ForbiddenAddressError(), null)
    return connect(options, callback)
  }
}
