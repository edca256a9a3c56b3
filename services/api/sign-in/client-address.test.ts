import { expect, test } from 'vitest'
import { rateLimitPrefix, networkOf } from './client-address.ts'

test('addresses of one network have the same prefix', () => {
  expect(networkOf('192.0.2.7')).toBe(networkOf('192.0.2.200'))
  expect(networkOf('::ffff:192.0.2.7')).toBe(networkOf('192.0.2.9'))
  expect(networkOf('2001:db8:1:2::3')).toBe(networkOf('2001:db8:1:ffff::1'))
  expect(networkOf('192.0.2.7')).not.toBe(networkOf('192.0.3.7'))
})

test('addresses of one subscriber count as one client', () => {
  expect(rateLimitPrefix('192.0.2.7')).not.toBe(rateLimitPrefix('192.0.2.8'))
  expect(rateLimitPrefix('::ffff:192.0.2.7')).toBe(rateLimitPrefix('192.0.2.7'))
  expect(rateLimitPrefix('2001:db8:1:2::3')).toBe(rateLimitPrefix('2001:db8:1:2:ffff::'))
  expect(rateLimitPrefix('2001:db8:1:2::3')).not.toBe(rateLimitPrefix('2001:db8:1:3::3'))
  expect(rateLimitPrefix('not an address')).toBe('not an address')
})
