import { expect, test } from 'vitest'
import { deviceOf, networkOf } from './device.ts'

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['curl/8.5.0', 'curl'],
  [null, 'Unknown device'],
  ['\u0000<script>', 'Unknown program'],
])('%s is called %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})

test('addresses of one network have one name', () => {
  expect(networkOf('192.0.2.7')).toBe(networkOf('192.0.2.200'))
  expect(networkOf('::ffff:192.0.2.7')).toBe(networkOf('192.0.2.9'))
  expect(networkOf('2001:db8:1:2::3')).toBe(networkOf('2001:db8:1:ffff::1'))
  expect(networkOf('192.0.2.7')).not.toBe(networkOf('192.0.3.7'))
})
