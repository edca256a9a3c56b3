import type { RequestListener } from 'node:http'
import { allowedMethods } from '#core/http/http-guard.ts'
import { newRequestId } from '#core/http/request-id.ts'
import { createRequestHandler, type RequestHandlerOptions } from './handle-request.ts'
import { handleMaxForwards } from './request/max-forwards.ts'
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
