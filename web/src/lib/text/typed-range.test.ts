import { expect, it } from 'vitest'
import { readTypedRange } from './typed-range.ts'

const zone = 'Europe/Paris'
const known = { from: '2026-11-20T08:00:42.123Z', to: '2026-11-21T08:00:00.000Z' }
const whole = (value: string) => ({ value, isPartial: false })
const partial = { value: '', isPartial: true }
const missing = whole('')
const [from, to] = [whole('2026-11-20T09:00'), whole('2026-11-21T09:00')]

it.each([
  ['keeps the seconds of an end that was not changed', { from, to }, known],
  [
    'takes times of the zone',
    { from: whole('2026-11-01T00:00'), to },
    { from: '2026-10-31T23:00:00.000Z', to: known.to },
  ],
  ['leaves an end open', { from, to: missing }, { from: known.from }],
])('%s', (_name, typed, range) =>
  expect(readTypedRange(typed, { known, zone, isOpen: true })).toEqual({ range, errors: {} }),
)

it.each([
  ['a partly typed time', { from: partial, to }, true, { from: 'Enter a whole date and time' }],
  [
    'a year that is being typed',
    { from: whole('0202-11-20T09:00'), to },
    true,
    { from: 'Enter a year from 1970 to 2199' },
  ],
  ['From after To', { from: to, to: from }, true, { to: 'The range ends before it begins' }],
  ['no end at all', { from: missing, to: missing }, true, { from: 'Enter a date and time at one end' }],
  ['a missing end, where both are needed', { from, to: missing }, false, { to: 'Enter a whole date and time' }],
])('rejects %s', (_name, typed, isOpen, errors) =>
  expect(readTypedRange(typed, { known, zone, isOpen }).errors).toEqual(errors),
)
