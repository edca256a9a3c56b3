import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { request } from 'undici'
import { listenLocally } from '#tools/process/listen.ts'
import { UpstreamPools } from './upstream-pools.ts'

const provider = createServer((_request, response) => response.end('here'))
const egress = createServer()
const tunnels: Socket[] = []
egress.on('connect', ({ url }, client: Socket) => {
  const target = connect(Number(new URL(`http://${url}`).port), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    client.pipe(target).pipe(client)
  })
  tunnels.push(client, target)
  for (const socket of [client, target]) socket.on('error', () => undefined)
})
const providerUrl = `http://127.0.0.1:${await listenLocally(provider)}`
const egressUrl = `http://127.0.0.1:${await listenLocally(egress)}`
afterAll(() => {
  for (const server of [provider, egress]) server.close()
})

test('connections through an egress proxy are counted while they are open', async () => {
  const pools = new UpstreamPools(
    () => true,
    () => Promise.reject(new Error('the egress proxy resolves names')),
    () => egressUrl,
  )
  const dispatcher = pools.get('an account', providerUrl)
  expect(await (await request(providerUrl, { dispatcher })).body.text()).toBe('here')
  expect(pools.connections).toBe(1)
  const closed = once(tunnels[0]!, 'close')
  for (const tunnel of tunnels) tunnel.destroy()
  await closed
  await expect.poll(() => pools.connections).toBe(0)
  await pools.close()
})
