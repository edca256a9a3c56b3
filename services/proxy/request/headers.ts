import type { IncomingHttpHeaders } from 'node:http'
import { hopHeader } from './hops.ts'
import type { RequestBody } from './body.ts'

/** Nothing else is forwarded: no credentials, cookies, hop-by-hop headers or client addresses. */
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

/** @returns whether a header, named in lower case, is forwarded */
export const allowHeaders = (names: readonly string[], prefixes: readonly string[]) => {
  const listed = new Set(names)
  return (name: string): boolean => listed.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}

/** Whether a header of a client is forwarded. The cache's key covers what this lets through. */
export const isForProvider = allowHeaders(requestHeaders, ['openai-', 'x-stainless-'])

/** @param hop value of the loop detection header @returns name, value, name, value … */
export function toUpstreamHeaders(
  incoming: IncomingHttpHeaders,
  secret: string,
  body: RequestBody,
  hop: string,
): string[] {
  // A compressed response can't be searched for the key or for usage.
  const outgoing = ['authorization', `Bearer ${secret}`, hopHeader, hop, 'accept-encoding', 'identity']
  for (const name in incoming) {
    const value = incoming[name]
    if (typeof value === 'string' && isForProvider(name)) outgoing.push(name, value)
  }
  if (body && 'stream' in body && body.length !== undefined) outgoing.push('content-length', String(body.length))
  return outgoing
}
