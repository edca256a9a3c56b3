import ipaddr from 'ipaddr.js'

/** The part of an address that stays when a line is given a new one: /24, or /48 of IPv6. */
export const networkOf = (address: string): string => prefixOf(address, { ipv4: 3, ipv6: 6 })

/** What one subscriber has at once: an IPv4 address, or a /64 of IPv6. Attempts are counted by it. */
export const rateLimitPrefix = (address: string): string => prefixOf(address, { ipv4: 4, ipv6: 8 })

/** @param kept leading bytes that stay */
function prefixOf(address: string, kept: { ipv4: number; ipv6: number }): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray().map((byte, at) => (at < kept[parsed.kind()] ? byte : 0))
  return ipaddr.fromByteArray(bytes).toString()
}
