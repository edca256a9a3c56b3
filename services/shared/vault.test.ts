import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVault } from './vault.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const old = createVault(new Map([[1, first]]))
const both = createVault(new Map([[1, first]]).set(2, second))
const onlyNew = createVault(new Map([[2, second]]))
const context = { accountId: 'a', recordId: 'r', field: 'f' }

test('a rewrapped secret needs only the sealing master key, and its own bytes stay', () => {
  const sealed = old.seal('sk-secret', context)
  const rewrapped = both.rewrap(sealed, context)
  expect(onlyNew.open(rewrapped, context)).toBe('sk-secret')
  expect(() => old.open(rewrapped, context)).toThrow('master key 2 is not configured')
  expect(rewrapped.subarray(62).equals(sealed.subarray(62))).toBe(true)
  expect(rewrapped.toString('latin1')).not.toContain('sk-secret')
})

test('the last master key seals, so that a new one can be deployed everywhere before it is needed', () => {
  const introduced = createVault(new Map([[2, second]]).set(1, first))
  expect(old.open(introduced.seal('sk-secret', context), context)).toBe('sk-secret')
  expect(introduced.open(both.seal('sk-secret', context), context)).toBe('sk-secret')
})

test.each([{ accountId: 'b' }, { recordId: 's' }, { field: 'g' }])(
  'a secret moved to %j neither opens nor rewraps',
  (moved) => {
    const sealed = old.seal('sk-secret', context)
    expect(() => both.open(sealed, { ...context, ...moved })).toThrow()
    expect(() => both.rewrap(sealed, { ...context, ...moved })).toThrow()
  },
)

test('every changed byte is detected', () => {
  const sealed = old.seal('sk-secret', context)
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => both.open(changed, context)).toThrow()
  }
  expect(() => both.open(Buffer.alloc(0), context)).toThrow()
})
