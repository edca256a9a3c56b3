import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { cutMark, keptQuery } from '#schemas/request-logs.ts'
import { isSecret, isSecretParameter, redacted } from '#schemas/secrets.ts'
import type { Target } from '../request/target.ts'

/** Headers in which proxies and CDNs forward the client address. */
const addressNames = /forwarded|ip(?:v?[46])?$|(?:^|[-_])ip|addr|^via$/

/** Digits with at least two dots or colons; a port may follow. */
const addressLike = /[\da-f]{0,4}(?:[.:][\da-f]{0,4}){2,}/gi

/** These may contain the address of the gateway or of a page. */
const serverNames = new Set(['host', 'origin', 'referer', 'user-agent'])

const isAddress = (name: string, value: string) =>
  addressNames.test(name) ||
  (!serverNames.has(name) &&
    (value.match(addressLike)?.some((part) => isIP(part) !== 0 || isIP(part.replace(/:\d{1,4}$/, '')) !== 0) ?? false))

/**
 * Headers for the log: credentials are redacted, and the query of the referer is removed.
 * @param keepsAddresses whether the account logs client addresses
 */
export function toLoggedHeaders(headers: IncomingHttpHeaders, keepsAddresses: boolean): Record<string, string> {
  const logged: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    const text = name === 'referer' ? String(value).replace(/[?#].*$/s, '') : String(value)
    if (!keepsAddresses && isAddress(name, text)) continue
    logged[name] = isSecret(name, text) ? redacted : text
  }
  return logged
}

/** A request's query for the log, with credentials redacted and a mark where it was cut; `null` if empty. */
export function loggedQuery({ endpoint, pathAndQuery }: Target): string | null {
  if (pathAndQuery.length <= endpoint.length + 1) return null
  const query = pathAndQuery
    .slice(endpoint.length + 1)
    .replace(/[^&;]+/g, (parameter) =>
      isSecretParameter(parameter) ? `${parameter.slice(0, parameter.indexOf('=') + 1)}${redacted}` : parameter,
    )
  return query.length > keptQuery ? query.slice(0, keptQuery - cutMark.length) + cutMark : query
}
