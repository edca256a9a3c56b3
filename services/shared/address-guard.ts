import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { LimitExceededError } from '#core/limits/shared-limit.ts'
import { second } from '#core/units.ts'

/** Azure's internal platform address; blocked although its range is `unicast`. */
const platformAddress = '168.63.129.16'

/** The only public addresses of IPv6. Elsewhere, a network may translate or tunnel to IPv4 (`::a9fe:a9fe`). */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

const connectTimeoutMs = 10 * second

export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

/** @throws Error if the name has no address, or on a timeout */
type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export type AddressGuard = (address: string) => boolean

/** @param allowedCidrs private ranges that are allowed anyway */
export function createAddressGuard(allowedCidrs: readonly string[]): AddressGuard {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    if (allowed.some((range) => address.kind() === range[0].kind() && address.match(range))) return true
    if (address instanceof ipaddr.IPv6 && !address.match(publicIpv6)) return false
    return address.range() === 'unicast' && address.toString() !== platformAddress
  }
}

/**
 * A connector that checks the exact addresses to which it connects, against DNS rebinding. One forbidden address makes
 * the whole name forbidden.
 */
export function createGuardedConnector(isAllowed: AddressGuard, resolve: Resolve): buildConnector.connector {
  const lookUp = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname)
    if (!addresses.every(({ address }) => isAllowed(address))) throw new ForbiddenAddressError()
    return addresses
  })
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookUp(hostname, (error, addresses = []) => {
      const [first] = addresses
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '')
      return options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family)
    })
  }
  const connect = buildConnector({ lookup: guardedLookup, timeout: connectTimeoutMs, port: undefined, allowH2: false })
  return (options, callback) => {
    if (isForbiddenAddress(options.hostname, isAllowed)) return callback(new ForbiddenAddressError(), null)
    return connect(options, callback)
  }
}

/** True if a host, as the URL parser spells it, is a forbidden address. Names are never forbidden here. */
export function isForbiddenAddress(hostname: string, isAllowed: AddressGuard): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && !isAllowed(address)
}

/**
 * True if a host, as the URL parser spells it, is or resolves to a forbidden address. A name that can't be resolved is
 * accepted, because the connector checks again. @throws LimitExceededError
 */
export async function isForbiddenHost(hostname: string, isAllowed: AddressGuard, resolve: Resolve): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return !isAllowed(host)
  const addresses = await resolve(host).catch((error: unknown) => {
    if (error instanceof LimitExceededError) throw error
    return []
  })
  return !addresses.every(({ address }) => isAllowed(address))
}
