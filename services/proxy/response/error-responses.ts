import type { IncomingMessage, ServerResponse } from 'node:http'
import { inertHeaders } from '#core/http/inert-headers.ts'
import { second } from '#core/units.ts'
import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'

const lingerMs = 5 * second

export const refusals = proxyErrors
export type RefusalCode = ProxyErrorCode

/** The body of a refusal, in the provider's own error shape, so that SDKs raise their typed errors. */
export function refusalBody(code: RefusalCode): string {
  const { type, message } = refusals[code]
  return JSON.stringify({ error: { message, type, param: null, code } })
}

/** @param headers name, value, name, value … */
export function refuse(
  response: ServerResponse,
  code: RefusalCode,
  requestId: string,
  headers: readonly string[] = [],
): void {
  const body = refusalBody(code)
  response.writeHead(refusals[code].status, [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(body)),
    'x-request-id',
    requestId,
    ...inertHeaders,
    ...headers,
  ])
  response.end(body)
  lingerBriefly(response.req)
}

/**
 * What a refused client still sends is read and thrown away for a while: it would not see the answer if the connection
 * ended under its hands. Who goes on for longer than that is cut off.
 */
function lingerBriefly(request: IncomingMessage): void {
  const { headers } = request
  if (request.complete || !(Number(headers['content-length']) > 0 || headers['transfer-encoding'])) return
  const timer = setTimeout(() => request.socket.destroy(), lingerMs).unref()
  setImmediate(() => request.resume())
  request.once('close', () => clearTimeout(timer))
}
