import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { redacted } from '../response/headers.ts'

const secretNames =
  /api[-_]?key|access[-_]?key|private[-_]?key|token(?!s)|secret|passw|passphrase|signature|credential|cookie|(?:^|[-_])(?:auth|(?:proxy-)?authorization|assertion|jwt|pwd|sid)(?:[-_]|$)/

/** Tokens of ours and keys of the provider, wherever they stand, and what follows the name of a scheme. */
const secretValues = /\bst_[0-9A-Za-z]{38}\b|\bsk-[\w-]{16,}|(?:^|[\s,;="'])(?:basic|bearer)[ \t]+\S/i

/** Values in which long random words are no secrets: names of a trace or of a version of something. */
const namesOfThings =
  /^(?:accept|access-control-|content-|date$|etag$|host$|idempotency-key$|if-(?:none-)?match$|openai-(?:organization|project)$|server$|tracestate$|user-agent$|via$)|(?:trace|request|correlation|span)[-_]?(?:id|parent)/

const longWords = /[\w+/=~-]{20,}/g

/** Letters of both cases and digits without a blank, or as many digits of base 16 or 36 as a hash has. */
const isRandom = (word: string) =>
  (/\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word)) ||
  (/[\da-z]{32}/i.test(word) && /\d/.test(word) && /[a-z]/i.test(word))

/** The same names come with every request; a client may make up as many as it likes. */
const nameKinds = new LRUCache<string, 'secret' | 'thing' | 'other'>({ max: 1_000 })

function kindOf(name: string) {
  let kind = nameKinds.get(name)
  if (!kind) {
    kind = secretNames.test(name) ? 'secret' : namesOfThings.test(name) ? 'thing' : 'other'
    nameKinds.set(name, kind)
  }
  return kind
}

function isSecret(name: string, value: string): boolean {
  const kind = kindOf(name)
  if (kind === 'secret' || secretValues.test(value)) return true
  return value.length >= 20 && kind === 'other' && (value.match(longWords)?.some(isRandom) ?? false)
}

/** Headers in which an edge says where a request comes from, whatever it calls them. */
const addressNames = /forwarded|ip(?:v?[46])?$|(?:^|[-_])ip|addr|^via$/

/** Digits between points or colons, of which there are at least two; a port may follow. */
const addressLike = /[\da-f]{0,4}(?:[.:][\da-f]{0,4}){2,}/gi

/** They may have the address of the gateway, or of a page. */
const namesOfServers = new Set(['host', 'origin', 'referer', 'user-agent'])

const isAddress = (name: string, value: string) =>
  addressNames.test(name) ||
  (!namesOfServers.has(name) &&
    (value.match(addressLike)?.some((part) => isIP(part) !== 0 || isIP(part.replace(/:\d{1,4}$/, '')) !== 0) ?? false))

/**
 * Headers as the log keeps them: every credential is redacted, whatever it is called, and pages are named without
 * their query.
 * @param keepsAddresses whether the account wants to see where its requests come from
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
