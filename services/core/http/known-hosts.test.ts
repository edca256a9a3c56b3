import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createKnownHosts } from './known-hosts.ts'

const config = {
  allowedHosts: ['gateway.lan', '[fd00::1]'],
  host: '192.0.2.7',
  publicUrl: 'https://Sallyport.Example.com/',
  trustedProxies: [],
}
const isKnown = (host: string | undefined, changes: { host?: string } = {}) =>
  createKnownHosts({ ...config, ...changes })({ headers: { host } } as IncomingMessage)

test.each([
  'sallyport.example.com',
  'SALLYPORT.example.com:8443',
  'sallyport.example.com.',
  'gateway.lan:3000',
  'localhost',
  'localhost:3000',
  'app.localhost:3000',
  '127.0.0.1:3000',
  '[::1]:3000',
  '[fd00::1]:3000',
  '192.0.2.7:3000',
])('row 59: %s is known', (host) => {
  expect(isKnown(host)).toBe(true)
})

test.each([
  undefined,
  '',
  'evil.test',
  'evil.test:3000',
  'localhost.evil.test',
  'sallyport.example.com.evil.test',
  'evilsallyport.example.com',
  '127.0.0.1.evil.test',
  '192.0.2.8',
  '0.0.0.0:3000',
  '127.0.0.2',
  'a,localhost',
  'u@localhost',
  'localhost/x',
  'localhost:99999',
  '[::2]',
])('row 59: %s is not', (host) => {
  expect(isKnown(host)).toBe(false)
})

test('row 59: a wildcard address to listen on is no host name', () => {
  for (const host of ['0.0.0.0', '::']) {
    expect(isKnown('192.0.2.7', { host })).toBe(false)
    expect(isKnown(`${host === '::' ? '[::]' : host}:3000`, { host })).toBe(false)
  }
  expect(isKnown('[2001:db8::1]:3000', { host: '2001:db8::1' })).toBe(true)
})

const isForwardedKnown = (host: string, forwarded: string, trustedProxies: string[]) => {
  const headers: IncomingHttpHeaders = { host, 'x-forwarded-host': forwarded }
  return createKnownHosts({ ...config, trustedProxies })({ headers } as IncomingMessage)
}

test('row 59: behind a trusted proxy both names must be known; otherwise the forwarded one is ignored', () => {
  const edge = ['10.0.0.0/8']
  expect(isForwardedKnown('localhost:3000', 'sallyport.example.com', edge)).toBe(true)
  expect(isForwardedKnown('localhost:3000', 'evil.test', edge)).toBe(false)
  expect(isForwardedKnown('localhost:3000', 'localhost, sallyport.example.com', edge)).toBe(true)
  expect(isForwardedKnown('localhost:3000', 'localhost, evil.test', edge)).toBe(false)
  expect(isForwardedKnown('evil.test', 'sallyport.example.com', edge)).toBe(false)
  expect(isForwardedKnown('localhost:3000', 'anything.test', [])).toBe(true)
})
