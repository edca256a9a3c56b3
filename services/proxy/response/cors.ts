import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowedMethods } from '#core/http/http-guard.ts'
import { inertHeaders } from '#core/http/inert-headers.ts'

const none: readonly string[] = []
const varyByOrigin = ['vary', 'origin']

/** A response with its own `Vary` must add this, because its head replaces the header set for CORS. */
export const varyOf = (response: ServerResponse): readonly string[] =>
  response.hasHeader('vary') ? varyByOrigin : none

const preflightSeconds = '86400'

/**
 * Lets pages from other origins call the proxy with a token; cookies are never allowed. The headers are set before any
 * response is written, so that errors have them too.
 * @param origins allowed origins; empty: all
 * @returns whether the request was a preflight, to which the response has then been sent
 */
export function createCors(origins: readonly string[]) {
  const listed = new Set(origins)
  return ({ method, headers }: IncomingMessage, response: ServerResponse): boolean => {
    const { origin } = headers
    if (origin === undefined) return false
    if (listed.size > 0) response.setHeader('vary', 'origin')
    const isAllowed = listed.size === 0 || listed.has(origin)
    if (isAllowed) {
      response.setHeader('access-control-allow-origin', listed.size === 0 ? '*' : origin)
      // Without cookies, the wildcard matches every header.
      response.setHeader('access-control-expose-headers', '*')
    }
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false
    if (isAllowed) {
      response.setHeader('access-control-allow-methods', allowedMethods)
      response.setHeader('access-control-max-age', preflightSeconds)
      const requested = headers['access-control-request-headers']
      if (requested !== undefined) response.setHeader('access-control-allow-headers', requested)
    }
    response.writeHead(204, [...inertHeaders])
    response.end()
    return true
  }
}
