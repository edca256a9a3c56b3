import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** @returns undefined once the connection is closed */
export type ClientAddressOf = (request: IncomingMessage) => string | undefined

/**
 * The connection's address, or the one that trusted proxies in front of this server report in `X-Forwarded-For`.
 * @param trustedProxies addresses and CIDRs
 */
export function createClientAddressOf(trustedProxies: readonly string[]): ClientAddressOf {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress
  const isTrusted = proxyAddr.compile([...trustedProxies])
  return (request) => proxyAddr(request, isTrusted)
}
