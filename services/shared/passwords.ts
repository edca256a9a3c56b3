import { hash, type Options, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { Problem, rejectField } from '#core/problem.ts'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. `2` means argon2id in a const enum. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options
const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`

/** Limited, so that a burst of sign-ins leaves CPU for everything else. */
const limit = pLimit(2)
/** A separate queue, so that known browsers and sessions do not wait for unknown browsers. */
const knownLimit = pLimit(1)

/** Maximum number of attempts from unknown browsers in the queue: with more, the last would wait too long. */
const maxWaiting = 400

/** Keyboards differ in how they compose letters, such as Vietnamese ones. Source: RFC 8265, 4.2.2. */
const compose = (password: string) => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> => limit(() => hash(compose(password), parameters))

/**
 * Without a stored hash, it takes as long and returns false, so that the time does not reveal whether the name exists.
 * @throws Problem `too-many-requests` if too many attempts from unknown browsers are waiting
 */
export async function verifyPassword(
  password: string,
  storedHash: string | undefined,
  { isKnown }: { isKnown: boolean } = { isKnown: false },
): Promise<boolean> {
  if (!isKnown && limit.pendingCount >= maxWaiting) throw new Problem('too-many-requests', { retryAfterSeconds: 10 })
  // Earlier versions hashed passwords as they were typed.
  for (const spelling of new Set([compose(password), password])) {
    const matches = await (isKnown ? knownLimit : limit)(() => verify(storedHash ?? unmatchableHash, spelling))
    if (matches && storedHash !== undefined) return true
  }
  return false
}

/** Matches no password, but takes as long to verify as a stored one. Salt and hash are zeros. */
export const unmatchableHash = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`

/** True if a stored hash has outdated parameters. */
export const needsRehash = (storedHash: string): boolean => !storedHash.startsWith(prefix)

let commonPasswords: Promise<Set<string>> | undefined

/** Loaded when someone first chooses a password, because it is large and most processes never need it. */
async function loadCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => String(password).length >= 8))
}

/** @throws Problem `invalid-request` for the field */
export async function rejectCommonPassword(password: string, field: string): Promise<void> {
  commonPasswords ??= loadCommonPasswords()
  if ((await commonPasswords).has(password.toLowerCase())) {
    throw rejectField(field, 'This password is too common. Choose one that is harder to guess')
  }
}
