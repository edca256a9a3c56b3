import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { send } from './api.ts'

it.each([
  ['text/html; charset=utf-8', false],
  ['application/json', true],
])('takes a response of the type %s for a success: %s', async (type, isSuccess) => {
  const server = createServer((_request, response) => response.setHeader('content-type', type).end('{}'))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const call = send('DELETE', `http://127.0.0.1:${port}/api/keys/1`)
  await (isSuccess ? expect(call).resolves.toBeTruthy() : expect(call).rejects.toMatchObject({ status: 200 }))
})
