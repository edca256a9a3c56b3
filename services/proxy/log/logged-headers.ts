import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { CredentialHeader } from '#schemas/credential-header.ts'
import { redactedPreviousSecret } from '#schemas/secure-tokens.ts'
import { kib } from '#core/units.ts'
import type { Target } from '../request/target.ts'
import { redacted } from '../response/headers.ts'

const secretNames =
  /api[-_]?key|access[-_]?key|private[-_]?key|token(?!s)|secret|passw|passphrase|signature|credential|cookie|(?:^|[-_])(?:auth|(?:proxy-)?authorization|assertion|jwt|pwd|sid)(?:[-_]|$)/

/** Secure tokens and provider keys anywhere in a value, and the credentials after the name of a scheme. */
const secretValues = /\bst_[0-9A-Za-z]{38}\b|\bsk-[\w-]{16,}|(?:^|[\s,;="'])(?:basic|bearer)[ \t]+\S/i

/** Headers in which long random words are no secrets, such as ids of traces and versions. */
const harmlessNames =
  /^(?:accept|access-control-|content-|date$|etag$|host$|idempotency-key$|if-(?:none-)?match$|openai-(?:organization|project)$|server$|tracestate$|user-agent$|via$)|(?:trace|request|correlation|span)[-_]?(?:id|parent)/

const longWords = /[\w+/=~-]{20,}/g

/** Letters of both cases and digits, or 32 digits of base 16 or 36 as in a hash. */
const isRandom = (word: string) =>
  (/\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word)) ||
  (/[\da-z]{32}/i.test(word) && /\d/.test(word) && /[a-z]/i.test(word))

/** Bounded, because a client may invent any number of names. */
const nameKinds = new LRUCache<string, 'secret' | 'harmless' | 'other'>({ max: 1_000 })

function kindOf(name: string) {
  let kind = nameKinds.get(name)
  if (!kind) {
    kind = secretNames.test(name) ? 'secret' : harmlessNames.test(name) ? 'harmless' : 'other'
    nameKinds.set(name, kind)
  }
  return kind
}

function isSecret(name: string, value: string): boolean {
  const kind = kindOf(name)
  if (kind === 'secret' || secretValues.test(value)) return true
  return value.length >= 20 && kind === 'other' && (value.match(longWords)?.some(isRandom) ?? false)
}

/** Headers in which proxies and CDNs pass on the client address. */
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
 * Headers for the log: credentials are redacted, and the referer is without its query.
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

const maxQuery = 4 * kib

/** Names of parameters that are credentials in a query only. */
const secretParameters = /^(?:key|sig|code)$|sas/i

/** A request's query for the log, with credentials redacted; `null`: none. */
export function loggedQuery({ endpoint, pathAndQuery }: Target): string | null {
  if (pathAndQuery.length <= endpoint.length + 1) return null
  return pathAndQuery.slice(endpoint.length + 1, endpoint.length + 1 + maxQuery).replace(/[^&;]+/g, withoutSecret)
}

function withoutSecret(parameter: string): string {
  const at = parameter.indexOf('=')
  const [name, value] = [decoded(parameter.slice(0, at)).toLowerCase(), decoded(parameter.slice(at + 1))]
  const isKept = at === -1 ? !secretValues.test(value) : !secretParameters.test(name) && !isSecret(name, value)
  return isKept ? parameter : `${parameter.slice(0, at + 1)}${redacted}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Shows that a request was authenticated by the previous secret of a rotated token. */
export function markPreviousSecret(logged: Record<string, string>): void {
  for (const name of CredentialHeader.options) if (name in logged) logged[name] = redactedPreviousSecret
}
