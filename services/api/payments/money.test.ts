import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCents, priceOf } from './money.ts'

test('formatted cents parse to the same amount', () => {
  fc.assert(fc.property(fc.nat(1_000_000_000), (cents) => parseCents(priceOf(cents)) === cents))
  expect(priceOf(2_900)).toBe('29.00')
})

test.each(['29.001', '-29.00', '29.00e0', ' 29.00', '0x1d', '', '.5', '29.', '1,000.00', undefined])(
  '%j is not an amount',
  (amount) => expect(parseCents(amount)).toBeUndefined(),
)
