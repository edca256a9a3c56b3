import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProvider, type Provider } from '#tools/sample-provider/provider.ts'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'
import { CreatedSecureToken } from '#schemas/secure-tokens.ts'
import { newKey } from './account-writes.fixture.ts'

let provider: Provider
let providerUrl: string
let stack: StackProcess

beforeAll(async () => {
  provider = createProvider()
  providerUrl = await provider.listen({ host: '127.0.0.1', port: 0 })
  stack = await startStack({
    env: { PROVIDER_BASE_URL: providerUrl, PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: null } }) },
  })
})
afterAll(async () => {
  await stack?.stop()
  await provider?.close()
})

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(stack.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.url, ...headers },
    body: JSON.stringify(body),
  })

/** Creates an account without a rate limit. @returns its secure token */
async function newToken(): Promise<string> {
  const account = { username: 'sender', email: 'sender@example.test', password: 'correct horse battery' }
  const registered = await post('/api/register', account)
  const cookie = registered.headers.getSetCookie()[0]!.split(';')[0]!
  await post('/api/proxy/config', { baseUrl: providerUrl, rateLimitEnabled: false }, { cookie })
  await post('/api/keys', newKey, { cookie })
  const created = await post('/api/tokens', { name: 'Load' }, { cookie })
  return CreatedSecureToken.parse(await created.json()).token
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Sends proxied requests one after another. @returns their durations, ms */
async function sendWhile(token: string, shouldContinue: (sent: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (shouldContinue(times.length)) {
    const start = performance.now()
    const response = await fetch(`${stack.url}/api/proxy/v1/models`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    times.push(performance.now() - start)
  }
  return times
}

/** 200 parallel guesses of different names from one address. */
const storm = () =>
  Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const response = await post('/api/login', { username: `nobody-${at}`, password: 'not the password' })
      await response.arrayBuffer()
      return response.status
    }),
  )

test('while passwords are guessed in a storm, guesses are turned away and proxied requests go on as before', async () => {
  const token = await newToken()
  await sendWhile(token, (sent) => sent < 200)
  const before = await sendWhile(token, (sent) => sent < 200)

  let isOver = false
  const guesses = storm().finally(() => {
    isOver = true
  })
  const during = await sendWhile(token, () => !isOver)
  const statuses = await guesses

  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(0)
  expect(during.length).toBeGreaterThan(20)
  // Two hashing threads share the machine with the test; a longer delay would mean that requests queue behind them.
  expect(median(during)).toBeLessThan(10 * median(before))
})

/** True if a process of the stack has loaded the code that hashes passwords. */
async function canHash(name: string): Promise<boolean> {
  const { children } = JSON.parse(await readFile(join(stack.dataDir, 'lock.json'), 'utf8'))
  const { pid } = children.findLast((child: { name: string }) => child.name === name)
  return (await readFile(`/proc/${pid}/maps`, 'utf8')).includes('argon2')
}

test('the process that serves proxied requests does not load the code that hashes passwords', async () => {
  expect(await canHash('api,worker')).toBe(true)
  expect(await canHash('proxy')).toBe(false)
})
