import { expect, test } from 'vitest'
import { OperatorModelPrice, OwnModelPrice } from './own-model-prices.ts'

const price = { pattern: 'mistral-*', input: 0.4, cachedInput: null, output: 2, perRequest: null }

test.each([
  {},
  { pattern: ' gpt-4o ' },
  { pattern: 'x'.repeat(255) },
  { input: 0, output: 0 },
  { input: 0.000001, output: 10_000 },
  { cachedInput: 0.018_75, perRequest: 1234.567_891 },
  { cacheWrite: 0, audioInput: null, longPrompts: null },
  { longPrompts: { aboveTokens: 200_000, input: 0, output: 0.4 } },
])('accepts %o', (changes) => expect(OwnModelPrice.safeParse({ ...price, ...changes }).success).toBe(true))

const messageOf = (changes: object) =>
  OwnModelPrice.safeParse({ ...price, ...changes }).error?.issues.map(({ path, message }) => [...path, message])

test.each([
  ['', 'Please enter a model or a pattern'],
  ['  ', 'Please enter a model or a pattern'],
  [undefined, 'Please enter a model or a pattern'],
  ['x'.repeat(256), 'Model must be at most 255 characters'],
  ['gpt\u0000', 'Model must not contain control characters'],
])('rejects the pattern %s', (pattern, message) => expect(messageOf({ pattern })).toEqual([['pattern', message]]))

const outOfRange = [-1, 1_234_567_890, 10_000.000_001, 0.000_000_1]
const noNumbers = [Infinity, Number.NaN, '1']

test.each(['input', 'cachedInput', 'output', 'perRequest', 'cacheWrite', 'audioInput'])(
  'rejects an impossible price: %s',
  (field) => {
    const range = 'Price must be between 0 and 10000 USD, with at most 6 decimals'
    for (const value of outOfRange) expect(messageOf({ [field]: value }), `${value}`).toEqual([[field, range]])
    const number = 'Price must be a number such as 0.5, with a decimal point'
    for (const value of noNumbers) expect(messageOf({ [field]: value }), `${value}`).toEqual([[field, number]])
  },
)

test.each([
  [{ aboveTokens: 0, input: 1, output: 1 }, 'aboveTokens', 'Tokens must be a whole number from 1 to 100000000'],
  [{ aboveTokens: 1.5, input: 1, output: 1 }, 'aboveTokens', 'Tokens must be a whole number from 1 to 100000000'],
  [{ aboveTokens: 1, output: 1 }, 'input', 'Price must be a number such as 0.5, with a decimal point'],
])('rejects prices of long prompts %o', (longPrompts, field, message) =>
  expect(messageOf({ longPrompts })).toEqual([['longPrompts', field, message]]),
)

test('prices that are not in a file are as usual', () => {
  const more = { cacheWrite: null, audioInput: null, longPrompts: null }
  expect(OperatorModelPrice.parse({ pattern: 'mistral-*', input: 0.4, output: 2 })).toEqual({ ...price, ...more })
  const longPrompts = { aboveTokens: 1, input: 1, output: 1, cachedInput: 1 }
  expect(OperatorModelPrice.safeParse({ ...price, longPrompts }).success).toBe(false)
})
