import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { AuditSource } from '#store/postgres/audit.ts'

/** Where a request comes from, for the audit trail; a management key is named first. */
export function auditSourceOf({ ip, headers, signedIn, idempotency }: FastifyRequest): AuditSource {
  const agent = headers['user-agent'] ?? null
  const key = signedIn?.credential.kind === 'management-key' ? `Management key “${signedIn.credential.name}”` : null
  const userAgent = key && agent ? `${key}, ${agent}` : (key ?? agent)
  const sessionId = signedIn?.credential.kind === 'session' ? signedIn.credential.id : undefined
  const idempotencyKey = idempotency?.id
  return { clientAddress: ip, userAgent: userAgent?.slice(0, 512) ?? null, sessionId, idempotencyKey }
}

/** The part of an address that usually stays the same when a connection gets a new one: /24, or /48 for IPv6. */
export const networkOf = (address: string): string => prefixOf(address, { ipv4: 3, ipv6: 6 })

/** The addresses that one subscriber controls, counted as one client: an IPv4 address, or an IPv6 /64. */
export const rateLimitPrefix = (address: string): string => prefixOf(address, { ipv4: 4, ipv6: 8 })

/** @param kept number of leading bytes to keep */
function prefixOf(address: string, kept: { ipv4: number; ipv6: number }): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray().map((byte, at) => (at < kept[parsed.kind()] ? byte : 0))
  return ipaddr.fromByteArray(bytes).toString()
}
