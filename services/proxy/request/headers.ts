import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type CredentialHeader, credentialValue } from '#schemas/credential-header.ts'
import { remember } from '#core/remember.ts'
import { hopHeader } from './hops.ts'

/** @returns a test for header names in lower case */
export const matchHeaders = (names: readonly string[], prefixes: readonly string[]) => {
  const listed = new Set(names)
  const prefixed = new RegExp(`^(?:${prefixes.join('|')})`)
  return remember((name) => listed.has(name) || prefixed.test(name))
}

/** Hop-by-hop headers, which a gateway must not forward. See RFC 9110, 7.6.1. */
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

/** Provider keys of the client, and headers that an authenticating proxy adds about the user. */
const credentials = [
  'api-key',
  'authorization',
  'cookie',
  'cookie2',
  'ocp-apim-subscription-key',
  'remote-user',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
  'x-goog-api-key',
  'x-goog-iap-jwt-assertion',
  'x-remote-user',
  'x-xsrf-token',
]
const credentialPrefixes = [
  'cf-access-',
  'tailscale-user-',
  'x-amzn-oidc-',
  'x-auth-request-',
  'x-goog-authenticated-user-',
  'x-ms-client-principal',
  'x-ms-token-',
]

/** Headers about the client and its route, added by proxies and CDNs in front of the gateway. */
const clientOrigin = [
  'cdn-loop',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'cf-ray',
  'cf-visitor',
  'cf-worker',
  'client-ip',
  'do-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'fly-region',
  'forwarded',
  'host',
  'origin',
  'referer',
  'true-client-ip',
  'via',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-original-forwarded-for',
  'x-original-host',
  'x-originating-ip',
  'x-real-ip',
  'x-remote-addr',
  'x-remote-ip',
  'x-vercel-forwarded-for',
]
const clientOriginPrefixes = ['cf-ip', 'cloudfront-', 'sec-', 'x-appengine-', 'x-forwarded', 'x-vercel-ip-']

/** With these, some servers handle another method or path than the one that was checked and is logged. */
const overrides = [
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-uri',
  'x-original-url',
  'x-rewrite-url',
]

/** Headers that are not forwarded: they concern only the gateway, or would reveal who the client is. */
const isWithheld = matchHeaders(
  [...hopByHopHeaders, ...credentials, ...clientOrigin, ...overrides, 'accept-encoding', 'content-length', 'expect'],
  [...credentialPrefixes, ...clientOriginPrefixes, 'x-sallyport-'],
)

/** Whether a client's header is forwarded. The cache key covers every forwarded header. */
export const isForProvider = (name: string): boolean => !isWithheld(name)

/** The gateway's `Via` entry, by the HTTP version in which it received the message. */
const viaEntries: Record<string, string> = { '1.0': '1.0 sallyport', '1.1': '1.1 sallyport' }

/** Providers are reached only over HTTP/1.1. */
export const viaProvider = '1.1 sallyport'

const viaClient = ({ httpVersion }: IncomingMessage): string => viaEntries[httpVersion] ?? viaProvider

const traceContext = ['traceparent', 'tracestate']

/**
 * @param secret the provider's key
 * @param hop value of the loop detection header
 * @param traceHeaders propagate the gateway's own span instead of the client's
 * @returns name, value, name, value …
 */
export function toUpstreamHeaders(
  request: IncomingMessage,
  credentialHeader: CredentialHeader,
  secret: string,
  hop: string,
  traceHeaders?: readonly string[],
): string[] {
  const incoming = request.headers
  // Compressed responses can't be searched for the key or for usage.
  const outgoing = [
    credentialHeader,
    credentialValue(credentialHeader, secret),
    hopHeader,
    hop,
    'via',
    viaClient(request),
    'accept-encoding',
    'identity',
  ]
  const isNamed = namedByConnection(incoming)
  if (traceHeaders) outgoing.push(...traceHeaders)
  for (const name in incoming) {
    if (traceHeaders && traceContext.includes(name)) continue
    const value = incoming[name]
    if (typeof value === 'string' && isForProvider(name) && !isNamed?.has(name)) outgoing.push(name, value)
  }
  return outgoing
}

/** The hop-by-hop headers named by a message's `Connection`. */
export function namedByConnection({ connection }: IncomingHttpHeaders): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined
  const names = connection.toLowerCase().split(',')
  return new Set(names.map((name) => name.trim()))
}

/** Whether the provider may receive a request twice: it is read-only, or has an idempotency key. */
export const mayBeRepeated = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'GET' || method === 'HEAD' || Boolean(headers['idempotency-key'])
