import { decodedIfValid } from './percent-encoding.ts'
import { LRUCache } from 'lru-cache'

/** Replaces a credential in a log. */
export const redacted = '[redacted]'

/** Shows the first 3 and last 4 characters; nothing of a short secret. */
export const maskSecret = (secret: string): string =>
  secret.length < 12 ? '••••••••' : `${secret.slice(0, 3)}••••••••${secret.slice(-4)}`

const secretNames =
  /api[-_]?key|access[-_]?key|private[-_]?key|token(?!s)|secret|passw|passphrase|signature|credential|cookie|(?:^|[-_])(?:auth|(?:proxy-)?authorization|assertion|jwt|pwd|sid)(?:[-_]|$)/

/** Secure tokens, management keys and provider keys anywhere in a value, and credentials after the name of a scheme. */
const secretValues = /\bs[tm]_[0-9A-Za-z]{38}\b|\bsk-[\w-]{16,}|(?:^|[\s,;="'])(?:basic|bearer)[ \t]+\S/i

/** Headers in which long random words are not secrets, such as trace ids and versions. */
const harmlessNames =
  /^(?:accept|access-control-|content-|date$|etag$|host$|idempotency-key$|if-(?:none-)?match$|openai-(?:organization|project)$|server$|tracestate$|user-agent$|via$)|(?:trace|request|correlation|span)[-_]?(?:id|parent)/

const longWords = /[\w+/=~-]{20,}/g

/** Matches words with letters of both cases and digits, or with 32 digits of base 16 or 36, as in a hash. */
const isRandom = (word: string) =>
  (/\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word)) ||
  (/[\da-z]{32}/i.test(word) && /\d/.test(word) && /[a-z]/i.test(word))

/** Bounded, because clients can invent any number of names. */
const nameKinds = new LRUCache<string, 'secret' | 'harmless' | 'other'>({ max: 1_000 })

function kindOf(name: string) {
  let kind = nameKinds.get(name)
  if (!kind) {
    kind = secretNames.test(name) ? 'secret' : harmlessNames.test(name) ? 'harmless' : 'other'
    nameKinds.set(name, kind)
  }
  return kind
}

/** Whether a header, or a parameter of a query, is or holds a credential. `name`: in lower case. */
export function isSecret(name: string, value: string): boolean {
  const kind = kindOf(name)
  if (kind === 'secret' || secretValues.test(value)) return true
  return value.length >= 20 && kind === 'other' && (value.match(longWords)?.some(isRandom) ?? false)
}

/** Parameters that are credentials only in a query. */
const secretParameters = /^(?:key|sig|code)$|sas/i

/** Whether a parameter of a query is or holds a credential. `parameter`: as sent, such as `key=sk-…`. */
export function isSecretParameter(parameter: string): boolean {
  const at = parameter.indexOf('=')
  const [name, value] = [decodedIfValid(parameter.slice(0, at)).toLowerCase(), decodedIfValid(parameter.slice(at + 1))]
  return at === -1 ? secretValues.test(value) : secretParameters.test(name) || isSecret(name, value)
}
