import { createServer } from 'node:http'
import { expect } from '@playwright/test'
import type OpenAI from 'openai'
import { build } from 'vite'
import { listenLocally } from '#tools/process/listen.ts'
import { test } from './support/test.ts'

declare global {
  interface Window {
    createClient: (options: object) => OpenAI
  }
}

/** Bundles the SDK as a third-party page would. */
async function bundle(): Promise<string> {
  const entry = `import OpenAI from 'openai'; window.createClient = (options) => new OpenAI(options)`
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      { name: 'entry', resolveId: (id) => (id === 'entry' ? id : null), load: (id) => (id === 'entry' ? entry : null) },
    ],
    build: { write: false, rolldownOptions: { input: 'entry' } },
  })
  if (!('output' in result)) throw new Error('the build has more than one output')
  return result.output[0].code
}

test.use({ visitor: 'developer' })

test('a page of another origin uses the SDK', async ({ page, origin, account }) => {
  const script = await bundle()
  const server = createServer(({ url }, response) => {
    const isScript = url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>App</title><script type="module" src="/app.js"></script>')
  })
  await page.goto(`http://127.0.0.1:${await listenLocally(server)}/`)
  const seen = await page.evaluate(
    async ([baseURL, apiKey]) => {
      const client = window.createClient({ baseURL, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 })
      const messages = [{ role: 'user' as const, content: 'Hello' }]
      const { data, request_id } = await client.chat.completions.create({ model: 'gpt-4o', messages }).withResponse()
      let streamed = ''
      for await (const event of await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true })) {
        streamed += event.choices[0]?.delta.content ?? ''
      }
      const error = await client
        .withOptions({ apiKey: 'st_wrong' })
        .models.list()
        .catch((reason: { status?: number; requestID?: string }) => [reason.status, typeof reason.requestID])
      return { text: data.choices[0]?.message.content, requestId: request_id, streamed, error }
    },
    [`${origin}/api/proxy/v1`, account.token],
  )
  server.close()
  expect(seen).toEqual({
    text: expect.stringContaining('Hello'),
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    streamed: expect.stringContaining('Hello'),
    error: [401, 'string'],
  })
})
