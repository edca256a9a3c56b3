import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowedMethods } from '#core/http/http-guard.ts'
import { inertHeaders } from '#core/http/inert-headers.ts'
import { product } from '#schemas/product.ts'
import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'
import { drainBriefly } from '../request/drain-briefly.ts'
import { headerOf } from './headers.ts'

export type LimitErrorCode = Extract<
  ProxyErrorCode,
  | 'rate_limited'
  | 'quota_exceeded'
  | 'budget_exceeded'
  | 'budget_reserved'
  | 'token_rate_limited'
  | 'token_tokens_limited'
  | 'token_concurrency_limited'
>

export interface ErrorDetails {
  /** The account's timeout, for the message that quotes it. */
  timeoutMs?: number
  /** Appended to the message. */
  detail?: string | undefined
  format?: ErrorFormat | undefined
  /** Seconds after which the client may try again, which Google's clients expect in the body. */
  retryAfter?: string | undefined
}

/** The format that a client expects. Anthropic's errors have another member and name of the id. */
export type ErrorFormat = 'openai' | 'anthropic' | 'google'

const googlePath = `${product.proxyPath}/v1beta/`

export function errorFormatOf({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): ErrorFormat {
  if (headers['anthropic-version'] !== undefined) return 'anthropic'
  return headers['x-goog-api-key'] !== undefined || url?.startsWith(googlePath) ? 'google' : 'openai'
}

/** @param timeoutMs the account's timeout, for the message that quotes it */
export const errorMessage = (code: ProxyErrorCode, timeoutMs: number | undefined): string =>
  proxyErrors[code].message.replace('{timeout}', String(timeoutMs))

/** In the client's error format, so that SDKs raise their typed errors. */
export function errorBody(code: ProxyErrorCode, { timeoutMs, detail, format, retryAfter }: ErrorDetails = {}): string {
  const plain = errorMessage(code, timeoutMs)
  const message = detail === undefined ? plain : `${plain} ${detail}`
  if (format === 'google') return JSON.stringify({ error: googleError(code, message, retryAfter) })
  const error = { message, type: proxyErrors[code].type, param: null, code }
  return JSON.stringify(format === 'anthropic' ? { type: 'error', error } : { error })
}

/** Google's names of statuses. Source: google.rpc.Code. */
const statusNames: Partial<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  504: 'DEADLINE_EXCEEDED',
}
const detailType = 'type.googleapis.com/google.rpc.'

/** Gemini CLI waits as long as `RetryInfo` says, unless that is more than five minutes: then it shows the message. */
function googleError(code: ProxyErrorCode, message: string, retryAfter: string | undefined): object {
  const { status } = proxyErrors[code]
  const reason = { '@type': `${detailType}ErrorInfo`, reason: code.toUpperCase(), domain: product.name.toLowerCase() }
  const retry = { '@type': `${detailType}RetryInfo`, retryDelay: `${retryAfter}s` }
  return {
    code: status,
    message,
    status: statusNames[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE'),
    details: retryAfter === undefined ? [reason] : [reason, retry],
  }
}

const none: readonly string[] = []
/** Claude Code repeats a 401 and any 5xx for minutes, before it shows an error that no retry can change. */
const noRetry = ['x-should-retry', 'false']
const finalErrors: ReadonlySet<ProxyErrorCode> = new Set(['loop_detected', 'upstream_forbidden'])
const challenge = ['www-authenticate', `Bearer realm="${product.name}"`, ...noRetry]
const allow = ['allow', allowedMethods]
const soon = ['retry-after', '1']

/** Headers that HTTP requires or recommends for a status, or that clients need. @returns name, value, name, value … */
function requiredHeaders(code: ProxyErrorCode): readonly string[] {
  const { status } = proxyErrors[code]
  if (status === 401) return challenge
  if (finalErrors.has(code)) return noRetry
  if (status === 503) return soon
  return status === 405 ? allow : none
}

/** @param headers name, value, name, value … */
export function errorResponse(
  code: ProxyErrorCode,
  requestId: string,
  headers: readonly string[],
  details: ErrorDetails | undefined,
): { status: number; headers: string[]; body: string } {
  const body = errorBody(code, { ...details, retryAfter: headerOf(headers, 'retry-after') })
  const length = String(Buffer.byteLength(body))
  const own = ['content-type', 'application/json; charset=utf-8', 'content-length', length, 'x-request-id', requestId]
  return {
    status: proxyErrors[code].status,
    headers: [
      ...own,
      ...(details?.format === 'anthropic' ? ['request-id', requestId] : none),
      ...requiredHeaders(code),
      ...inertHeaders,
      ...headers,
    ],
    body,
  }
}

/** @param headers name, value, name, value … */
export function sendError(
  response: ServerResponse,
  code: ProxyErrorCode,
  requestId: string,
  headers: readonly string[] = [],
  details?: ErrorDetails,
): void {
  const format = errorFormatOf(response.req)
  const error = errorResponse(code, requestId, headers, { ...details, format })
  response.writeHead(error.status, error.headers)
  response.end(error.body)
  drainBriefly(response.req)
}
