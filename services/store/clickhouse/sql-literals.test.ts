import { expect, test } from 'vitest'
import { dateLiteral, timeLiteral, timezoneLiteral, uuidLiteral } from './sql-literals.ts'

test('valid values become SQL text', () => {
  expect(uuidLiteral('0199a000-0000-7000-8000-000000000001')).toBe("toUUID('0199a000-0000-7000-8000-000000000001')")
  expect(timezoneLiteral('America/Argentina/Buenos_Aires')).toBe("'America/Argentina/Buenos_Aires'")
  expect(timezoneLiteral('Etc/GMT+5')).toBe("'Etc/GMT+5'")
  expect(timeLiteral(Date.UTC(2026, 10, 20, 12, 0, 1))).toBe("toDateTime(1795176001, 'UTC')")
  expect(dateLiteral(Date.UTC(2026, 10, 20))).toBe('toDate(20777)')
})

test.each(["'", "0199a000-0000-7000-8000-000000000001'", "Europe/Berlin' OR 1 = 1 --", 'Europe\\', '', 'a b', 'UTC\n'])(
  'invalid text is rejected: %j',
  (text) => {
    expect(() => uuidLiteral(text)).toThrow()
    expect(() => timezoneLiteral(text)).toThrow()
  },
)

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is no time', (at) => {
  expect(() => timeLiteral(at)).toThrow()
  expect(() => dateLiteral(at)).toThrow()
})
