import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listenLocally } from '#tools/process/listen.ts'
import { Delivery } from './delivery.ts'

test('a request over a connection that was closed after an upload counts as not sent', async () => {
  const server = createServer()
  const port = await listenLocally(server)
  onTestFinished(() => void server.close())
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const [provider] = await Promise.all([accepted, once(socket, 'connect')])
  new Delivery(true).startOn(socket)
  provider.resetAndDestroy()
  const next = new Delivery()
  next.start()
  next.startOn(socket)
  socket.write('GET / HTTP/1.1\r\n\r\n')
  next.written()
  expect(next.wasSent).toBe(false)
})
