import type * as Argon2 from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'

/** Calls of argon2. */
const inFlight = { now: 0, most: 0, total: 0 }

const counted =
  <Arguments extends unknown[], Result>(work: (...args: Arguments) => Promise<Result>) =>
  async (...args: Arguments): Promise<Result> => {
    inFlight.now += 1
    inFlight.total += 1
    inFlight.most = Math.max(inFlight.most, inFlight.now)
    return work(...args).finally(() => {
      inFlight.now -= 1
    })
  }

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof Argon2>()
  return { ...original, hash: counted(original.hash), verify: counted(original.verify) }
})

test('however many passwords are to be hashed and compared at once, two are under way, also right after the start', async () => {
  const { hashPassword, verifyPassword } = await import('./passwords.ts')
  const hashed = Array.from({ length: 10 }, () => hashPassword('correct horse battery'))
  const ofUnknown = Array.from({ length: 10 }, () => verifyPassword('not the password', undefined))
  const ofKnown = (await Promise.all(hashed)).map((hash) => verifyPassword('correct horse battery', hash))
  expect(new Set(await Promise.all(ofUnknown))).toEqual(new Set([false]))
  expect(new Set(await Promise.all(ofKnown))).toEqual(new Set([true]))
  // The hash that stands in for an unknown name's is one more.
  expect(inFlight).toEqual({ now: 0, most: 2, total: 31 })
})

test('a password without a stored hash is never right, and takes a comparison like any other', async () => {
  const { verifyPassword } = await import('./passwords.ts')
  const before = inFlight.total
  expect(await verifyPassword('no password at all', undefined)).toBe(false)
  expect(inFlight.total - before).toBe(1)
})

test('everybody’s first guess is refused at its field, whatever its case', async () => {
  const { refuseCommonPassword } = await import('./passwords.ts')
  for (const guess of ['password1', 'PassWord1', 'qwertyuiop']) {
    expect(() => refuseCommonPassword(guess, 'newPassword'), guess).toThrow(
      expect.objectContaining({ code: 'invalid-request', errors: [expect.objectContaining({ field: 'newPassword' })] }),
    )
  }
  expect(() => refuseCommonPassword('correct horse battery', 'password')).not.toThrow()
})
