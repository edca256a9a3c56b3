import type { ServerResponse } from 'node:http'
import { allowedMethods } from '#core/http/http-guard.ts'
import { inertHeaders } from '#core/http/inert-headers.ts'
import { product } from '#schemas/product.ts'
import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'
import { drainBriefly } from '../request/drain-briefly.ts'

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
  /** Whether the client expects the format of Anthropic, whose errors have another member and name of the id. */
  isAnthropic?: boolean
}

/** @param timeoutMs the account's timeout, for the message that quotes it */
export const errorMessage = (code: ProxyErrorCode, timeoutMs: number | undefined): string =>
  proxyErrors[code].message.replace('{timeout}', String(timeoutMs))

/** In OpenAI's error format, so that SDKs raise their typed errors. */
export function errorBody(code: ProxyErrorCode, { timeoutMs, detail, isAnthropic }: ErrorDetails = {}): string {
  const plain = errorMessage(code, timeoutMs)
  const message = detail === undefined ? plain : `${plain} ${detail}`
  const error = { message, type: proxyErrors[code].type, param: null, code }
  return JSON.stringify(isAnthropic ? { type: 'error', error } : { error })
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
  const body = errorBody(code, details)
  const length = String(Buffer.byteLength(body))
  const own = ['content-type', 'application/json; charset=utf-8', 'content-length', length, 'x-request-id', requestId]
  return {
    status: proxyErrors[code].status,
    headers: [
      ...own,
      ...(details?.isAnthropic ? ['request-id', requestId] : none),
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
  const isAnthropic = response.req.headers['anthropic-version'] !== undefined
  const error = errorResponse(code, requestId, headers, { ...details, isAnthropic })
  response.writeHead(error.status, error.headers)
  response.end(error.body)
  drainBriefly(response.req)
}
