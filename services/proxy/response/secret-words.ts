import { isPlaceholder } from './secret-matcher.ts'

const words = /[\w*.-]+/g

/** Prefixes of keys and tokens. Some are also prefixes of ordinary words, which contain no digits. */
const keyStart = /(?:^|\W)(?:sk[-_]|(?:st|rk|gsk|hf)_|xai-|AIza|AKIA|eyJ)\w/
const possibleKeyStart = /(?:^|\W)(?:pk|key|sess)[-_]\w/
const shortestKey = 9

const credentials = /\b(basic|bearer) [\w.~+/=-]{16,}/gi

/** Providers quote the beginning and the end of a key, with asterisks between them. */
function isSecret(word: string): boolean {
  if (word.includes('***')) return true
  return word.length >= shortestKey && (keyStart.test(word) || (possibleKeyStart.test(word) && /\d/.test(word)))
}

/** Replaces a key, and anything that looks like a credential, with asterisks. */
export function withoutSecrets(text: string, secret: string): string {
  const own = isPlaceholder(secret) ? text : text.replaceAll(secret, '***')
  return own.replace(credentials, '$1 ***').replace(words, (word) => (isSecret(word) ? '***' : word))
}
