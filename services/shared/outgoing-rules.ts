import type { Config } from '#core/config.ts'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { createNameResolver, type ResolveName } from '#core/resolver.ts'
import { type AddressGuard, createAddressGuard } from './address-guard.ts'

/** How this process reaches the addresses that users enter. */
export interface OutgoingRules {
  isAllowed: AddressGuard
  resolve: ResolveName
  /**
   * An egress proxy resolves names itself, and decides which addresses are allowed.
   * @returns the URL of the proxy for requests to a host, as the URL parser spells it; undefined: none
   */
  egressProxyOf: (hostname: string) => string | undefined
}

export const createOutgoingRules = (config: Config, lookups: SharedLimit): OutgoingRules => ({
  isAllowed: createAddressGuard(config.upstreamAllowCidrs),
  resolve: createNameResolver({ limit: lookups, servers: config.dnsServers }),
  egressProxyOf: createEgressProxyOf(config),
})

/** @param config `upstreamNoProxy`: addresses and names that are reached directly, with all of their subdomains */
export function createEgressProxyOf({
  upstreamProxyUrl,
  upstreamNoProxy,
}: Pick<Config, 'upstreamProxyUrl' | 'upstreamNoProxy'>): OutgoingRules['egressProxyOf'] {
  const direct = upstreamNoProxy.map((name) => `.${bare(name)}`)
  return (hostname) => (direct.some((end) => `.${bare(hostname)}`.endsWith(end)) ? undefined : upstreamProxyUrl)
}

const bare = (host: string) => host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
