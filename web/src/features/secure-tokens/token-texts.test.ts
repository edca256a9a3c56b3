import { expect, test } from 'vitest'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { emptyTexts, textsOf, TokenTexts } from './token-texts.ts'

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
