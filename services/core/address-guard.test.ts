import { expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'

const closed = createAddressGuard([])

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fe80::1',
  'fc00::1',
  'not-an-address',
])('%s is refused', (address) => {
  expect(closed(address)).toBe(false)
})

test.each(['104.18.7.192', '2606:4700::6812:7c0'])('%s, a public address, is allowed', (address) => {
  expect(closed(address)).toBe(true)
})

test('an operator opens private ranges one by one', () => {
  const open = createAddressGuard(['127.0.0.0/8', 'fc00::/7'])
  expect(open('127.0.0.1')).toBe(true)
  expect(open('::ffff:127.0.0.1')).toBe(true)
  expect(open('fc00::5')).toBe(true)
  expect(open('10.0.0.1')).toBe(false)
})
