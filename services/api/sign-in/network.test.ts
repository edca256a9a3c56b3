import { expect, test } from 'vitest'
import { lineOf, networkOf } from './network.ts'

test('addresses of one network have one name', () => {
  expect(networkOf('192.0.2.7')).toBe(networkOf('192.0.2.200'))
  expect(networkOf('::ffff:192.0.2.7')).toBe(networkOf('192.0.2.9'))
  expect(networkOf('2001:db8:1:2::3')).toBe(networkOf('2001:db8:1:ffff::1'))
  expect(networkOf('192.0.2.7')).not.toBe(networkOf('192.0.3.7'))
})

test('attempts are counted by what one subscriber has', () => {
  expect(lineOf('192.0.2.7')).not.toBe(lineOf('192.0.2.8'))
  expect(lineOf('::ffff:192.0.2.7')).toBe(lineOf('192.0.2.7'))
  expect(lineOf('2001:db8:1:2::3')).toBe(lineOf('2001:db8:1:2:ffff::'))
  expect(lineOf('2001:db8:1:2::3')).not.toBe(lineOf('2001:db8:1:3::3'))
  expect(lineOf('not an address')).toBe('not an address')
})
