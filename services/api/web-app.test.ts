import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
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

const emptyFolder = () => mkdtempSync(join(tmpdir(), 'sallyport-web-'))

test('without a build, the log and the response for a page say what to run', async () => {
  const { app, lines } = await serve(emptyFolder())
  const page = await app.inject('/request-logs')
  expect(page.statusCode).toBe(404)
  expect(page.json()).toMatchObject({ detail: expect.stringContaining('npm run build') })
  expect(lines.join('\n')).toContain('npm run build')
  for (const path of ['/api/nothing', '/assets/nothing.js'])
    expect((await app.inject(path)).body).not.toContain('build')
})

test('with a build, every page is the app, and nothing is logged', async () => {
  const root = emptyFolder()
  writeFileSync(join(root, 'index.html'), '<title>Sallyport</title>')
  const { app, lines } = await serve(root)
  expect((await app.inject('/request-logs')).body).toBe('<title>Sallyport</title>')
  expect((await app.inject('/assets/nothing.js')).statusCode).toBe(404)
  expect(lines).toEqual([])
})
