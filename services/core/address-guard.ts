import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import pTimeout from 'p-timeout'
import { buildConnector } from 'undici'
import { second } from './units.ts'

const lookupTimeoutMs = 2 * second

/** Not reachable from outside, yet `unicast` to a classifier: the platform address of a large cloud. */
const platformAddresses = new Set(['168.63.129.16'])

/** The target of a connection is not one that an operator allows. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

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
  resolve: Resolve = dnsLookup,
): buildConnector.connector {
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new ForbiddenAddressError(), '')
      if (options.all) return callback(null, addresses)
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
 */
export async function isForbiddenHost(hostname: string, isAllowed: AddressGuard): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return !isAllowed(host)
  const found = lookup(host, { all: true })
  const addresses = await pTimeout(found, { milliseconds: lookupTimeoutMs }).catch(() => [])
  return !addresses.every(({ address }) => isAllowed(address))
}
