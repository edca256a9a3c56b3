import type { IncomingHttpHeaders } from 'node:http'
import { hopHeader } from './hops.ts'
import { redacted } from '../log/logged-headers.ts'
import type { RequestBody } from './body.ts'

/**
 * Only what is listed travels. Everything else is the client's or the gateway's own business: credentials, cookies,
 * hop-by-hop headers and whatever tells where a request came from.
 */
const requestHeaders = new Set([
  'accept',
  'accept-language',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'range',
  'traceparent',
  'tracestate',
  'user-agent',
])
const requestPrefixes = ['openai-', 'x-stainless-']

const responseHeaders = new Set([
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
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
  'vary',
  'x-should-retry',
])
/** `x-ratelimit-limit` and its like without a unit are the gateway's own. */
const responsePrefixes = ['openai-', 'x-ratelimit-limit-', 'x-ratelimit-remaining-', 'x-ratelimit-reset-']

const isListed = (name: string, names: ReadonlySet<string>, prefixes: readonly string[]) =>
  names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))

interface SentRequest {
  body: RequestBody
  /** Value of the header by which gateways find loops. */
  hop: string
}

/** @returns name, value, name, value … as undici takes it, with the provider's credential */
export function toUpstreamHeaders(incoming: IncomingHttpHeaders, secret: string, sent: SentRequest): string[] {
  // What is compressed can't be searched for the key, nor for what it cost.
  const outgoing = ['authorization', `Bearer ${secret}`, hopHeader, sent.hop, 'accept-encoding', 'identity']
  for (const name in incoming) {
    const value = incoming[name]
    if (typeof value !== 'string' || !isListed(name, requestHeaders, requestPrefixes)) continue
    outgoing.push(name, value)
  }
  if (sent.body && 'stream' in sent.body && sent.body.length !== undefined) {
    outgoing.push('content-length', String(sent.body.length))
  }
  return outgoing
}

/** Where a second value means nothing that anybody could act on. */
const singleHeaders = new Set([
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

/** A provider's headers, each with one value: of one that must not come twice the first, of others all of them. */
export function withSingleValues(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  let single: IncomingHttpHeaders | undefined
  for (const name in headers) {
    const values = headers[name]
    if (!Array.isArray(values) || name === 'set-cookie') continue
    single ??= { ...headers }
    single[name] = singleHeaders.has(name) ? values[0] : values.join(', ')
  }
  return single ?? headers
}

/** @returns name, value, name, value … as `writeHead` takes it; the provider's request id stands beside ours */
export function toClientHeaders(upstream: IncomingHttpHeaders): string[] {
  const outgoing: string[] = []
  for (const name in upstream) {
    const value = upstream[name]
    if (value === undefined) continue
    if (name === 'x-request-id') outgoing.push('x-provider-request-id', String(value))
    else if (isListed(name, responseHeaders, responsePrefixes)) outgoing.push(name, String(value))
  }
  return outgoing
}

/** A provider's headers without its key, should it echo it. */
export function hideSecret(headers: IncomingHttpHeaders, secret: string): IncomingHttpHeaders {
  const echoing = Object.keys(headers).filter((name) => String(headers[name]).includes(secret))
  return echoing.length === 0 ? headers : { ...headers, ...Object.fromEntries(echoing.map((name) => [name, redacted])) }
}

/** @param headers name, value, name, value …, names in lower case */
export function withoutHeader(headers: readonly string[], name: string): string[] {
  const at = headers.findIndex((other, index) => index % 2 === 0 && other === name)
  return at === -1 ? [...headers] : headers.toSpliced(at, 2)
}
