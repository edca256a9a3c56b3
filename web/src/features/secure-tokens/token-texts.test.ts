import { expect, test } from 'vitest'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { emptyTexts, enteredValues, textsOf, TokenTexts } from './token-texts.ts'

const read = (texts: Partial<typeof emptyTexts>) => TokenTexts.parse({ ...emptyTexts, name: 'Backend', ...texts })

test('models and tags are what is between the commas', () => {
  expect(read({ models: ' gpt-4o , o3,', tags: 'customer=acme, query=a=b' })).toMatchObject({
    models: ['gpt-4o', 'o3'],
    tags: { customer: 'acme', query: 'a=b' },
  })
  expect(read({ models: ' ', tags: '' })).toMatchObject({ models: null, tags: null })
})

test('values with commas stay what they are when a token is edited', () => {
  const token = { name: 'Backend', models: ['org/a,b'], tags: { company: 'Acme, Inc.', path: String.raw`C:\x` } }
  const { expiresAt: _expiresAt, ...texts } = textsOf(token as unknown as SecureToken)
  expect(texts.tags).toBe(String.raw`company=Acme\, Inc., path=C:\\x`)
  expect(read(texts)).toMatchObject(token)
})

test('a decimal comma is told apart from a number out of range', () => {
  const result = TokenTexts.safeParse({ ...emptyTexts, name: 'Backend', dailyBudgetUsd: '0,5', monthlyBudgetUsd: '-1' })
  expect(result.error?.issues.map(({ message }) => message)).toEqual([
    'Daily budget must be a number such as 0.5, with a decimal point',
    'Monthly budget must be between 0 and 1000000 USD, with at most 4 decimals',
  ])
})

test('a new token is sent as its name, and with what else was entered', () => {
  expect(enteredValues(read({}))).toEqual({ name: 'Backend' })
  const entered = { expiresAt: '2026-12-31', dailyBudgetUsd: '0' }
  expect(enteredValues(read(entered))).toEqual({ name: 'Backend', expiresAt: '2026-12-31', dailyBudgetUsd: 0 })
})
