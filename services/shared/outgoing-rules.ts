import type { Config } from '#core/config.ts'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { createNameResolver, type ResolveName } from '#core/resolver.ts'
import { type AddressGuard, createAddressGuard } from './address-guard.ts'
import { createEgressProxyOf, type EgressProxyOf } from './egress-proxy.ts'

/** How this process reaches the addresses that users enter. */
export interface OutgoingRules {
  isAllowed: AddressGuard
  resolve: ResolveName
  /** An egress proxy resolves names itself, and decides which addresses are allowed. */
  egressProxyOf: EgressProxyOf
}

export const createOutgoingRules = (config: Config, lookups: SharedLimit): OutgoingRules => ({
  isAllowed: createAddressGuard(config.upstreamAllowCidrs),
  resolve: createNameResolver({ limit: lookups, servers: config.dnsServers }),
  egressProxyOf: createEgressProxyOf(config),
})
