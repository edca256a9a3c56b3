import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { CredentialHeader } from '#schemas/credential-header.ts'
import { hopHeader } from './hops.ts'
import { viaClient } from './via.ts'

/** @returns whether a header, named in lower case, is one of them */
export const matchHeaders = (names: readonly string[], prefixes: readonly string[]) => {
  const listed = new Set(names)
  return (name: string): boolean => listed.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}

/** Headers of one connection, which no gateway forwards. See RFC 9110, 7.6.1. */
export const hopByHopHeaders = [
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** What is not for the provider. The client's credential, address and page concern only the gateway. */
const isKept = matchHeaders(
  [
    ...hopByHopHeaders,
    'accept-encoding',
    'api-key',
    'authorization',
    'cf-connecting-ip',
    'cf-connecting-ipv6',
    'cf-ipcountry',
    'client-ip',
    'content-length',
    'cookie',
    'cookie2',
    'expect',
    'fastly-client-ip',
    'forwarded',
    'host',
    'origin',
    'referer',
    'true-client-ip',
    'via',
    'x-api-key',
    'x-appengine-user-ip',
    'x-azure-clientip',
    'x-client-ip',
    'x-cluster-client-ip',
    'x-envoy-external-address',
    'x-original-forwarded-for',
    'x-real-ip',
  ],
  ['sec-', 'x-forwarded', 'x-sallyport-'],
)

/** Whether a header of a client is forwarded. The cache's key covers what this lets through. */
export const isForProvider = (name: string): boolean => !isKept(name)

/** @param hop value of the loop detection header @returns name, value, name, value … */
export function toUpstreamHeaders(
  request: IncomingMessage,
  credentialHeader: CredentialHeader,
  credential: string,
  hop: string,
): string[] {
  const incoming = request.headers
  // A compressed response can't be searched for the key or for usage.
  const outgoing = [
    credentialHeader,
    credential,
    hopHeader,
    hop,
    'via',
    viaClient(request),
    'accept-encoding',
    'identity',
  ]
  const isNamed = namedByConnection(incoming)
  for (const name in incoming) {
    const value = incoming[name]
    if (typeof value === 'string' && isForProvider(name) && !isNamed?.has(name)) outgoing.push(name, value)
  }
  return outgoing
}

/** The headers that a message's `Connection` declares as those of one connection. */
export function namedByConnection({ connection }: IncomingHttpHeaders): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
}

/** Whether the provider may receive a request twice: it changes nothing, or the provider recognises it. */
export const mayBeRepeated = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'GET' || method === 'HEAD' || Boolean(headers['idempotency-key'])
