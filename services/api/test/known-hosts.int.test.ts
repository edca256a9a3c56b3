import { request } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { afterAll, expect, test } from 'vitest'
import { addHealthRoutes } from '#core/process/health.ts'
import { createKnownHosts } from '#core/http/known-hosts.ts'
import { addApiFallback } from '../../proxy/api-fallback.ts'
import { testApi } from './api.fixture.ts'

const config = {
  allowedHosts: ['gateway.lan'],
  host: '0.0.0.0',
  publicUrl: 'https://gateway.example',
  trustedProxies: [],
}
const gateway = Fastify({ forceCloseConnections: true }).setSerializerCompiler(serializerCompiler)
const addHealth = (app: FastifyInstance) =>
  addHealthRoutes(
    app,
    () => false,
    async () => ({ problems: [], needs: {}, isReady: true }),
  )

const api = await testApi({ ALLOWED_HOSTS: 'gateway.lan', PUBLIC_URL: config.publicUrl }, addHealth)
const apiUrl = await api.app.listen({ port: 0, host: '127.0.0.1' })
addHealth(gateway)
await addApiFallback(gateway, apiUrl, createKnownHosts(config))
const gatewayUrl = await gateway.listen({ port: 0, host: '127.0.0.1' })
const ports = [gatewayUrl, apiUrl].map((url) => Number(new URL(url).port))
afterAll(() => gateway.close())

/** Statuses of the same call to the gateway, which forwards it, and to the api itself. */
const statuses = (path: string, host: string, { method = 'GET', ...headers }: Record<string, string> = {}) =>
  Promise.all(
    ports.map(async (port) => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
      const call = request({ port, host: '127.0.0.1', path, method, headers: { host, ...headers } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.on('error', reject).end()
      return promise
    }),
  )

test('row 59: the control plane is served only under the hostnames of this installation', async () => {
  const { cookie } = await api.register()
  for (const host of ['gateway.example', 'gateway.lan:3000', 'localhost:3000', '127.0.0.1']) {
    expect(await statuses('/api/user', host, { cookie })).toEqual([200, 200])
  }
  for (const host of ['evil.test', 'evil.test:3000', 'gateway.lan.evil.test', '192.0.2.1']) {
    for (const path of ['/api/user', '/api/tokens', '/api/openapi.json', '/api/none', '/', '/assets/x.js']) {
      expect(await statuses(path, host, { cookie }), path).toEqual([421, 421])
    }
    expect(await statuses('/api/register', host, { method: 'POST' })).toEqual([421, 421])
    expect(await statuses('/api/user', host, { cookie, 'x-forwarded-host': 'localhost' })).toEqual([421, 421])
  }
})

test('row 59: health checks work under any hostname', async () => {
  for (const path of ['/healthz', '/startupz', '/readyz'])
    expect(await statuses(path, '10.0.0.9:3000')).toEqual([200, 200])
})
