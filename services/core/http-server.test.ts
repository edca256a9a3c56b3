import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { addHealthRoutes, createHttpServer } from './http-server.ts'

test('a server that stops still answers what is on its way, and lets nobody else in', async () => {
  const app = createHttpServer({ trustedProxies: [] }, pino({ level: 'silent' }))
  addHealthRoutes(app, {})
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const open = connect(port, '127.0.0.1')
  await once(app.server, 'connection')

  const closed = app.close()
  await vi.waitUntil(() => !app.server.listening, { interval: 1 })
  open.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const answer = await text(open)
  expect(answer).toContain('HTTP/1.1 200 OK')
  expect(answer.toLowerCase()).toContain('connection: close')
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
  await closed
})
