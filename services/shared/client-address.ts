import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Where a request comes from, as far as it can be believed; undefined once its connection is gone. */
export type ClientAddressOf = (request: IncomingMessage) => string | undefined

/**
 * The connection's address, or the one that trusted proxies in front of this server name in `X-Forwarded-For`.
 * @param trustedProxies addresses and CIDRs
 */
export function createClientAddressOf(trustedProxies: readonly string[]): ClientAddressOf {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress
  const isTrusted = proxyAddr.compile([...trustedProxies])
  return (request) => proxyAddr(request, isTrusted)
}
