import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { allowedMethods } from '#core/http/http-guard.ts'
import { inertHeaders } from '#core/http/inert-headers.ts'
import { newRequestId } from '#core/http/request-id.ts'
import { createRequestHandler, type RequestHandlerOptions } from './handle-request.ts'
import { createCors } from './response/cors.ts'
import { sendError } from './response/error-responses.ts'

interface ProxyListenerOptions extends RequestHandlerOptions {
  corsOrigins: readonly string[]
}

const methods = new Set(allowedMethods.split(', '))

/** Listens to all requests under the proxy's prefix. */
export function createProxyListener({ corsOrigins, ...options }: ProxyListenerOptions): RequestListener {
  const handle = createRequestHandler(options)
  const cors = createCors(corsOrigins)
  return (request, response) => {
    const id = newRequestId()
    if (!methods.has(request.method ?? '')) return sendError(response, 'method_not_allowed', id)
    if (cors(request, response) || handleMaxForwards(request, response)) return
    void handle({ id, request, response })
  }
}

/**
 * Decrements the `Max-Forwards` of an OPTIONS request, see RFC 9110, 7.6.2.
 * @returns whether this gateway is the last hop, in which case it has responded
 */
function handleMaxForwards({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
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
