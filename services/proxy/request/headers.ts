import type { IncomingHttpHeaders } from 'node:http'
import { hopHeader } from './hops.ts'
import type { RequestBody } from './body.ts'

/**
 * Only these headers go to the provider. Others stay here: credentials, cookies, hop-by-hop headers and those that tell
 * where a request came from.
 */
const requestHeaders = [
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
]

/** @returns whether a header is passed on, by its name in lower case */
export const allowHeaders = (names: readonly string[], prefixes: readonly string[]) => {
  const listed = new Set(names)
  return (name: string): boolean => listed.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}

const isForProvider = allowHeaders(requestHeaders, ['openai-', 'x-stainless-'])

interface SentRequest {
  body: RequestBody
  /** Value of the header by which gateways find loops. */
  hop: string
}

/** @returns name, value, name, value … as undici takes it, with the provider's credential */
export function toUpstreamHeaders(incoming: IncomingHttpHeaders, secret: string, sent: SentRequest): string[] {
  // A compressed response can't be searched for the key or for usage.
  const outgoing = ['authorization', `Bearer ${secret}`, hopHeader, sent.hop, 'accept-encoding', 'identity']
  for (const name in incoming) {
    const value = incoming[name]
    if (typeof value !== 'string' || !isForProvider(name)) continue
    outgoing.push(name, value)
  }
  if (sent.body && 'stream' in sent.body && sent.body.length !== undefined) {
    outgoing.push('content-length', String(sent.body.length))
  }
  return outgoing
}
