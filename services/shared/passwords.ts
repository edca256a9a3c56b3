import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import pLimit from 'p-limit'
import { Problem, refuseField } from '#core/problem.ts'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. `2` is argon2id in a const enum. */
const parameters = {
  algorithm: 2 satisfies Algorithm.Argon2id as Algorithm,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}
const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`

/** Hashing is bounded, so that a burst of sign-ins can't take the machine from everything else. */
const limit = pLimit(2)
/** For browsers that are known: they do not queue behind strangers. */
const knownLimit = pLimit(1)

/** More strangers than these would wait for longer than anybody does. */
const maxWaiting = 400

export const hashPassword = (password: string): Promise<string> => limit(() => hash(password, parameters))

/**
 * Compares a password with a stored hash. Without one it does the same work and says no, so that an unknown name
 * takes as long as a known one.
 * @throws Problem `too-many-requests` when too many strangers wait already
 */
export async function verifyPassword(
  password: string,
  storedHash: string | undefined,
  { isKnown }: { isKnown: boolean } = { isKnown: false },
): Promise<boolean> {
  if (!isKnown && limit.pendingCount >= maxWaiting) throw new Problem('too-many-requests', { retryAfterSeconds: 10 })
  const matches = await (isKnown ? knownLimit : limit)(async () => verify(storedHash ?? (await decoy), password))
  return matches && storedHash !== undefined
}

const decoy = limit(() => hash('no password at all', parameters))

/** Whether a stored hash was made with other parameters than those of today. */
export const needsRehash = (storedHash: string): boolean => !storedHash.startsWith(prefix)

const commonPasswords = new Set(dictionary['passwords-common'].filter((password) => String(password).length >= 8))

/** @throws Problem `invalid-request` that names the field, when everybody's first guess would find it */
export function refuseCommonPassword(password: string, field: string): void {
  if (commonPasswords.has(password.toLowerCase())) {
    throw refuseField(field, 'This password is too common. Choose one that is harder to guess')
  }
}
