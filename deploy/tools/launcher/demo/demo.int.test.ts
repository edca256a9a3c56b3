import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'
import { Stats } from '#schemas/analytics.ts'
import { CapturedOrder, PaymentOrder, PaymentSetup } from '#schemas/billing.ts'
import { findFreePort } from '#tools/process/free-port.ts'

let stack: StackProcess

beforeAll(async () => {
  // The default ports may be in use by another demo.
  const [provider, payments] = [await findFreePort(), await findFreePort()]
  const env = { PROVIDER_PORT: String(provider), PAYPAL_PORT: String(payments) }
  stack = await startStack({ args: ['--demo'], env })
})
afterAll(() => stack?.stop())

const post = (path: string, body?: object, cookie = '') =>
  fetch(stack.url + path, {
    method: 'POST',
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
const get = async (path: string, cookie: string): Promise<unknown> =>
  (await fetch(stack.url + path, { headers: { cookie } })).json()
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!

test('the demo prints its account, which can sign in and has traffic', async () => {
  const [, username, password] = /Demo account: (\S+), password (\S+);/.exec(stack.output())!
  const signedIn = await post('/api/login', { username, password })
  expect(signedIn.status).toBe(200)
  const { totalRequests } = Stats.parse(await get('/api/stats', cookieOf(signedIn)))
  expect(totalRequests).toBeGreaterThan(100)
})

test('a simulated payment upgrades the plan at once', async () => {
  const account = { username: 'buyer', email: 'buyer@example.test', password: 'correct horse battery' }
  const cookie = cookieOf(await post('/api/register', account))
  const { scriptUrl } = PaymentSetup.parse(await get('/api/paypal/setup', cookie))
  const page = await fetch(`${stack.url}/pricing?pay=true`)
  expect(page.headers.get('content-security-policy')).toContain(`script-src 'self' ${new URL(scriptUrl).origin}`)

  const { id } = PaymentOrder.parse(await (await post('/api/paypal/order', {}, cookie)).json())
  const approved = await fetch(new URL(`/fake/orders/${id}/approve`, scriptUrl), { method: 'POST', body: '{}' })
  expect(approved.status).toBe(204)
  const captured = await post(`/api/paypal/order/${id}/capture`, undefined, cookie)
  expect(CapturedOrder.parse(await captured.json())).toMatchObject({ state: 'captured', subscriptionStatus: 'pro' })
})
