import type * as Argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

/** Counts calls of argon2. */
const calls = { running: 0, max: 0, total: 0 }

const counted =
  <Arguments extends unknown[], Result>(work: (...args: Arguments) => Promise<Result>) =>
  async (...args: Arguments): Promise<Result> => {
    calls.running += 1
    calls.total += 1
    calls.max = Math.max(calls.max, calls.running)
    return work(...args).finally(() => (calls.running -= 1))
  }

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof Argon2>()
  return { ...original, hash: counted(original.hash), verify: counted(original.verify) }
})

// Another file in the same process may have loaded the real module, and others may load it later.
beforeAll(() => void vi.resetModules())
afterAll(() => void vi.resetModules())

test('at most two passwords are hashed or compared at once, also right after the start', async () => {
  const { hashPassword, verifyPassword } = await import('./passwords.ts')
  const before = calls.total
  const hashed = Array.from({ length: 10 }, () => hashPassword('correct horse battery'))
  const ofUnknown = Array.from({ length: 10 }, () => verifyPassword('not the password', undefined))
  const ofKnown = (await Promise.all(hashed)).map((hash) => verifyPassword('correct horse battery', hash))
  expect(new Set(await Promise.all(ofUnknown))).toEqual(new Set([false]))
  expect(new Set(await Promise.all(ofKnown))).toEqual(new Set([true]))
  expect(calls).toEqual({ running: 0, max: 2, total: before + 30 })
})

test('a password without a stored hash never matches, but is compared like any other', async () => {
  const { verifyPassword } = await import('./passwords.ts')
  const before = calls.total
  expect(await verifyPassword('no password at all', undefined)).toBe(false)
  expect(calls.total - before).toBe(1)
})

test('a password matches however its letters are composed, also if it was hashed as it was typed', async () => {
  const { hash } = await import('@node-rs/argon2')
  const { hashPassword, verifyPassword } = await import('./passwords.ts')
  const [composed, typed] = ['mật khẩu dài'.normalize('NFC'), 'mật khẩu dài'.normalize('NFD')]
  expect(await verifyPassword(composed, await hashPassword(typed))).toBe(true)
  expect(await verifyPassword(typed, await hashPassword(composed))).toBe(true)
  expect(await verifyPassword(typed, await hash(typed))).toBe(true)
  expect(await verifyPassword(typed, await hashPassword('mat khau dai'))).toBe(false)
})

test('a common password is rejected at its field, in any case', async () => {
  const { rejectCommonPassword } = await import('./passwords.ts')
  for (const guess of ['password1', 'PassWord1', 'qwertyuiop']) {
    await expect(rejectCommonPassword(guess, 'newPassword'), guess).rejects.toThrow(
      expect.objectContaining({ code: 'invalid-request', errors: [expect.objectContaining({ field: 'newPassword' })] }),
    )
  }
  await expect(rejectCommonPassword('correct horse battery', 'password')).resolves.toBeUndefined()
})
