import type { IncomingMessage } from 'node:http'
import { parseCookie } from 'cookie'
import { accountHeader } from '#schemas/account.ts'
import { product } from '#schemas/product.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import type { IsKnownHost } from '#core/http/known-hosts.ts'
import { timesSent } from '#core/http/raw-headers.ts'
import type { ClientAddressOf } from '#shared/client-address.ts'
import type { CookieTokens } from '#shared/session-token.ts'
import type { Account } from './account.ts'
import type { CredentialCache } from './credential-cache.ts'

const bearer = /^Bearer +(\S+) *$/i
/** The headers in which the SDKs of Azure and Anthropic send their keys. */
const keyHeaders = ['api-key', 'x-api-key'] as const
/** That of Google's SDKs. It counts only without any other credential, and is looked for only then. */
const googleHeader = 'x-goog-api-key'

type Authentication = Account | ProxyErrorCode

/**
 * @param protocolTokens tokens in a WebSocket's subprotocols
 * @throws GatewayError when the credential is not cached and Postgres does not respond
 */
export type Authenticate = (
  request: IncomingMessage,
  protocolTokens?: readonly string[],
) => Authentication | Promise<Authentication>

const none: readonly string[] = []

/**
 * Authenticates by token, or requests of the request tester by session.
 * @param isKnownHost sessions are valid on known hosts only
 */
export function createAuthenticate(
  credentials: CredentialCache,
  sessionTokens: CookieTokens,
  isKnownHost: IsKnownHost,
  clientAddressOf: ClientAddressOf,
): Authenticate {
  async function bySession(request: IncomingMessage): Promise<Authentication> {
    if (!isKnownHost(request)) return 'unknown_host'
    const cookies = parseCookie(request.headers.cookie ?? '')
    const idHash = await sessionTokens.verify(cookies[sessionTokens.cookieName])
    const account = idHash && (await credentials.findSession(idHash))
    if (!account) return 'missing_token'
    const named = request.headers[accountHeader]
    return named === undefined || named === account.accountId ? account : 'other_account'
  }

  return (request, protocolTokens = none) => {
    const token = tokenOf(request, protocolTokens)
    if (token === null) return 'ambiguous_credentials'
    if (token === undefined) {
      return request.headers.cookie !== undefined && isRequestTester(request) ? bySession(request) : 'missing_token'
    }
    if (token === '') return 'missing_token'
    const account = credentials.peek(token)
    if (account === null) return 'invalid_token'
    if (account) return account
    return credentials.find(token, clientAddressOf(request)).then((found) => found ?? 'invalid_token')
  }
}

/** @returns `null` for conflicting tokens or a repeated header; '' for a credential that is not a token */
function tokenOf(
  { headers, rawHeaders }: IncomingMessage,
  protocolTokens: readonly string[],
): string | null | undefined {
  const { authorization } = headers
  if (authorization !== undefined && timesSent(rawHeaders, 'authorization') > 1) return null
  let token = authorization === undefined ? undefined : (bearer.exec(authorization)?.[1] ?? '')
  for (const name of keyHeaders) {
    const key = headers[name]?.toString()
    if (key === undefined) continue
    if ((token !== undefined && token !== key) || timesSent(rawHeaders, name) > 1) return null
    token = key
  }
  if (token === undefined) {
    token = headers[googleHeader]?.toString()
    if (token !== undefined && timesSent(rawHeaders, googleHeader) > 1) return null
  }
  for (const other of protocolTokens) {
    if (token !== undefined && token !== other) return null
    token = other
  }
  return token
}

/**
 * Other origins can't send this header without a CORS preflight. A browser that sends neither `Sec-Fetch-Site` nor
 * `Origin` is trusted only with read-only requests.
 */
function isRequestTester({ method = '', headers }: IncomingMessage): boolean {
  if (headers[product.testerHeader] !== '1') return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  if (headers.origin === undefined) return method === 'GET' || method === 'HEAD'
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host
}
