import type { IncomingHttpHeaders } from 'node:http'
import { hopByHopHeaders, matchHeaders, namedByConnection } from '../request/headers.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { redacted } from '#schemas/secrets.ts'
import { nanoUsdPerUsd } from '#core/units.ts'
import { isPlaceholder } from './secret-matcher.ts'

const isSingle = new Set([
  'age',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'retry-after-ms',
])

/**
 * Headers that are not relayed: the gateway sets them itself, or they would affect its own pages in a browser or control
 * an nginx in front of it (`x-accel-redirect`).
 */
const isWithheld = matchHeaders(
  [
    ...hopByHopHeaders,
    'alt-svc',
    'clear-site-data',
    'nel',
    'ratelimit',
    'ratelimit-policy',
    'refresh',
    'report-to',
    'reporting-endpoints',
    'server-timing',
    'service-worker-allowed',
    'set-cookie',
    'set-cookie2',
    'sourcemap',
    'strict-transport-security',
    'via',
    'x-content-type-options',
    'x-provider-request-id',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ],
  ['access-control-', 'content-security-policy', 'sec-websocket-', 'x-accel-', 'x-sallyport-'],
)

/** Joins a provider's repeated headers; for headers that allow only one value, keeps the first. */
export function withSingleValues(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  let single: IncomingHttpHeaders | undefined
  for (const name in headers) {
    const values = headers[name]
    if (!Array.isArray(values) || name === 'set-cookie') continue
    single ??= { ...headers }
    single[name] = isSingle.has(name) ? values[0] : values.join(', ')
  }
  return single ?? headers
}

/** The provider's request id is renamed. @returns name, value, name, value … */
export function toClientHeaders(upstream: IncomingHttpHeaders): string[] {
  const outgoing: string[] = []
  const isNamed = namedByConnection(upstream)
  for (const name in upstream) {
    const value = upstream[name]
    if (value === undefined || isNamed?.has(name)) continue
    if (name === 'x-request-id') outgoing.push('x-provider-request-id', String(value))
    else if (!isWithheld(name)) outgoing.push(name, String(value))
  }
  return outgoing
}

/** Redacts headers that echo the provider's key. */
export function hideSecret(headers: IncomingHttpHeaders, secret: string): IncomingHttpHeaders {
  if (isPlaceholder(secret)) return headers
  let redactedHeaders: IncomingHttpHeaders | undefined
  for (const name in headers) {
    if (!String(headers[name]).includes(secret)) continue
    redactedHeaders ??= { ...headers }
    redactedHeaders[name] = redacted
  }
  return redactedHeaders ?? headers
}

/** @param headers name, value, name, value …, names in lower case */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  return headers.find((_value, index) => index % 2 === 1 && headers[index - 1] === name)
}

/** @param headers name, value, name, value …, names in lower case */
export function withoutHeader(headers: readonly string[], name: string): string[] {
  const at = headers.findIndex((other, index) => index % 2 === 0 && other === name)
  return at === -1 ? [...headers] : headers.toSpliced(at, 2)
}

/** Requests headers that only developers need. */
export const debugHeader = 'x-sallyport-debug'

/** @returns name, value, name, value … */
export const costHeader = ({ costNanoUsd }: RequestEvent): string[] =>
  costNanoUsd === null ? [] : ['x-sallyport-cost-usd', (costNanoUsd / nanoUsdPerUsd).toFixed(9)]

/** @returns name, value, name, value … */
export function usageHeaders({ promptTokens, completionTokens }: RequestEvent): string[] {
  const headers: string[] = []
  if (promptTokens !== null) headers.push('x-sallyport-prompt-tokens', String(promptTokens))
  if (completionTokens !== null) headers.push('x-sallyport-completion-tokens', String(completionTokens))
  return headers
}
