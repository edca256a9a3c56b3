import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childPid } from '#tools/launcher/start.fixture.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
import { openAccount } from '#tools/stack/account.ts'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'

const provider = createProvider()
let stack: StackProcess

beforeAll(async () => {
  stack = await startStack({
    env: {
      PROVIDER_BASE_URL: await provider.listen({ host: '127.0.0.1', port: 0 }),
      PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: null } }),
    },
  })
})
afterAll(async () => {
  await stack?.stop()
  await provider.close()
})

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
      const response = await fetch(`${stack.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: stack.url },
        body: JSON.stringify({ username: `nobody-${at}`, password: 'not the password' }),
      })
      await response.arrayBuffer()
      return response.status
    }),
  )

test('while passwords are guessed in a storm, guesses are turned away and proxied requests go on as before', async () => {
  const account = await openAccount(stack.url, { username: 'sender' })
  const { token } = await account.newToken('load')
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
  return (await readFile(`/proc/${await childPid(stack, name)}/maps`, 'utf8')).includes('argon2')
}

test('the process that serves proxied requests does not load the code that hashes passwords', async () => {
  expect(await canHash('api,worker')).toBe(true)
  expect(await canHash('proxy')).toBe(false)
})
