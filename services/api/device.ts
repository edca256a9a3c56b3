import bowser from 'bowser'
import ipaddr from 'ipaddr.js'

/** Browser and system in words, without versions: an update is not a new device. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = bowser.parse(userAgent)
  const program = browser.name || /^[\w.-]{1,40}/.exec(userAgent)?.[0] || 'Unknown program'
  return os.name ? `${program} on ${os.name}` : program
}

/** The part of an address that stays when a line is given a new one: /24, or /48 of IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray()
  const kept = parsed.kind() === 'ipv4' ? 3 : 6
  return ipaddr.fromByteArray(bytes.map((byte, at) => (at < kept ? byte : 0))).toString()
}
