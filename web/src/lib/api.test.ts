import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { day, hour } from '#schemas/units.ts'
import { send } from './api.ts'
import { gatewayNow } from './browser/gateway-clock.ts'

async function call(headers: Record<string, string>) {
  const server = createServer((_request, response) => response.setHeaders(new Headers(headers)).end('{}'))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return send('DELETE', `http://127.0.0.1:${port}/api/keys/1`)
}

it('takes no page for a success', async () => {
  await expect(call({ 'content-type': 'text/html; charset=utf-8' })).rejects.toMatchObject({ status: 200 })
  await expect(call({ 'content-type': 'application/json' })).resolves.toMatchObject({ status: 200 })
})

it('follows the clock of the gateway where that of this device is wrong', async () => {
  const differenceTo = async (at: number) => {
    await call({ date: new Date(at).toUTCString() })
    return Math.round((gatewayNow() - Date.now()) / hour)
  }
  expect(await differenceTo(Date.now() + day)).toBe(24)
  expect(await differenceTo(Date.now() - 2 * hour)).toBe(-2)
  await call({ date: new Date(Date.now() - 3_000).toUTCString() })
  expect(gatewayNow()).toBeLessThanOrEqual(Date.now())
  expect(Date.now() - gatewayNow()).toBeLessThan(2_000)
})
