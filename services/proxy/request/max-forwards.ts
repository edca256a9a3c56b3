import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowedMethods } from '#core/http/http-guard.ts'
import { inertHeaders } from '#core/http/inert-headers.ts'

/**
 * Decrements the `Max-Forwards` of an OPTIONS request, see RFC 9110, 7.6.2.
 * @returns whether this gateway is the last hop, in which case it has responded
 */
export function handleMaxForwards({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  const left = headers['max-forwards']
  if (method !== 'OPTIONS' || typeof left !== 'string' || !/^\d{1,9}$/.test(left)) return false
  if (Number(left) > 0) {
    headers['max-forwards'] = String(Number(left) - 1)
    return false
  }
  response.writeHead(204, [...inertHeaders, 'allow', allowedMethods])
  response.end()
  return true
}
