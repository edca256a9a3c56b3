import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { listenLocally } from '#tools/process/listen.ts'
import { createAddressGuard, createGuardedConnector, ForbiddenAddressError } from './address-guard.ts'

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
  '::a9fe:a9fe',
  '4000::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fe80::1',
  'fc00::1',
  'not-an-address',
])('%s is forbidden', (address) => {
  expect(closed(address)).toBe(false)
})

test.each(['104.18.7.192', '2606:4700::6812:7c0'])('%s, a public address, is allowed', (address) => {
  expect(closed(address)).toBe(true)
})

test('an operator allows private ranges one by one', () => {
  const open = createAddressGuard(['127.0.0.0/8', 'fc00::/7'])
  expect(open('127.0.0.1')).toBe(true)
  expect(open('::ffff:127.0.0.1')).toBe(true)
  expect(open('fc00::5')).toBe(true)
  expect(open('10.0.0.1')).toBe(false)
})

/** Connects to a name; each list has the addresses that one look-up returns. */
function dial(port: number, allowed: string[], ...lookUps: string[][]) {
  const connect = createGuardedConnector(createAddressGuard(allowed), async () =>
    lookUps.shift()!.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )
  return () =>
    new Promise<Socket>((resolve, reject) => {
      const target = { hostname: 'rebind.example', port: String(port), protocol: 'http:' }
      connect(target, (error, socket) => (socket ? resolve(socket) : reject(error!)))
    })
}

test('row 24: a name is forbidden when one of its addresses is, also when that changes between two connections', async () => {
  const server = createServer()
  let connections = 0
  server.on('connection', () => (connections += 1))
  const port = await listenLocally(server)

  for (const addresses of [
    ['127.0.0.1'],
    ['104.18.7.192', '127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['::1', '104.18.7.192'],
  ]) {
    await expect(dial(port, [], addresses)()).rejects.toBeInstanceOf(ForbiddenAddressError)
  }
  const again = dial(port, ['127.0.0.0/9'], ['127.0.0.1'], ['127.200.0.1'])
  const socket = await again()
  expect(socket.remoteAddress).toBe('127.0.0.1')
  socket.destroy()
  await expect(again()).rejects.toBeInstanceOf(ForbiddenAddressError)
  expect(connections).toBe(1)
  server.close()
})
