import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { browserSafety } from './plugins/browser-safety.ts'
import { errorHandler } from './plugins/errors.ts'
import { requestOrigin } from './plugins/request-origin.ts'
import { webApp } from './web-app.ts'

async function serve(root: string) {
  const lines: string[] = []
  const app = Fastify({ loggerInstance: pino({ level: 'warn' }, { write: (line) => lines.push(line) }) })
  await app.register(errorHandler)
  await app.register(requestOrigin)
  await app.register(browserSafety, { secure: false, paymentOrigins: [] })
  await app.register(webApp, { root })
  return { app, lines }
}

test('without a build, the log and the response for a page say what to run', async () => {
  const { app, lines } = await serve(temporaryFolder())
  const page = await app.inject('/request-logs')
  expect(page.statusCode).toBe(404)
  expect(page.json()).toMatchObject({ detail: expect.stringContaining('npm run build') })
  expect(lines.join('\n')).toContain('npm run build')
  for (const path of ['/api/nothing', '/assets/nothing.js'])
    expect((await app.inject(path)).body).not.toContain('build')
})

test('with a build, every page is the app, and nothing is logged', async () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'index.html'), '<title>Sallyport</title>')
  const { app, lines } = await serve(root)
  expect((await app.inject('/request-logs')).body).toBe('<title>Sallyport</title>')
  expect((await app.inject('/assets/nothing.js')).statusCode).toBe(404)
  expect(lines).toEqual([])
})

test.each(['/api/proxy/chat/completions', '/v1/models', '/v1/chat/completions'])(
  'an SDK whose base URL is wrong can show why: %s',
  async (url) => {
    const { app } = await serve(temporaryFolder())
    for (const method of ['GET', 'POST'] as const) {
      const response = await app.inject({ method, url, headers: { authorization: 'Bearer st_x' } })
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ error: { message: expect.stringContaining('/api/proxy/v1') } })
    }
  },
)

test('files are sent as gzip to clients that accept it, and caches tell both forms apart', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'assets'))
  for (const [name, text] of [
    ['index.html', '<title>Sallyport</title>'],
    ['assets/app.js', 'run()'.repeat(99)],
  ] as const) {
    writeFileSync(join(root, name), text)
    writeFileSync(join(root, `${name}.gz`), gzipSync(text))
  }
  const { app } = await serve(root)
  for (const url of ['/request-logs', '/assets/app.js']) {
    const plain = await app.inject(url)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const headers = { 'accept-encoding': 'gzip, deflate, br' }
    const zipped = await app.inject({ url, headers })
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body)
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': plain.headers['content-type'],
    })
    expect(zipped.headers.etag).not.toBe(plain.headers.etag)
    for (const { vary } of [plain.headers, zipped.headers]) expect(vary).toBe('accept-encoding')
    const head = await app.inject({ method: 'HEAD', url, headers })
    expect(head.headers['content-length']).toBe(String(zipped.rawPayload.length))
    const known = await app.inject({ url, headers: { ...headers, 'if-none-match': zipped.headers.etag } })
    expect(known.statusCode).toBe(304)
    expect(known.headers['cache-control']).toBe(zipped.headers['cache-control'])
  }
  const part = await app.inject({ url: '/assets/app.js', headers: { range: 'bytes=0-4' } })
  expect([part.statusCode, part.body]).toEqual([206, 'run()'])
  expect((await app.inject('/assets/app.js.gz')).statusCode).toBe(404)
})
