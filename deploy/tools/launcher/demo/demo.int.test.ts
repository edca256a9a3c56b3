import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'
import { Stats } from '#schemas/analytics.ts'
import { CapturedOrder, PaymentOrder, PaymentSetup } from '#schemas/billing.ts'
import { openSession } from '#tools/launcher/http-session.ts'
import { findFreePort } from '#tools/process/free-port.ts'

let stack: StackProcess

beforeAll(async () => {
  // The default ports may be in use by another demo.
  const [provider, payments] = [await findFreePort(), await findFreePort()]
  // Several proxies are for one role only; everything else has to start with this setting, too.
  const env = { PROVIDER_PORT: String(provider), PAYPAL_PORT: String(payments), PROXY_PROCESSES: '2' }
  stack = await startStack({ args: ['--demo'], env })
})
afterAll(() => stack?.stop())

test('the demo prints its account, which can sign in and has traffic', async () => {
  const [, username, password] = /Demo account: (\S+), password (\S+);/.exec(stack.output())!
  const call = openSession(stack.url)
  await call('POST', '/api/login', { username, password })
  const { totalRequests } = Stats.parse(await call('GET', '/api/stats'))
  expect(totalRequests).toBeGreaterThan(100)
})

test('a simulated payment upgrades the plan at once', async () => {
  const account = { username: 'buyer', email: 'buyer@example.test', password: 'correct horse battery' }
  const call = openSession(stack.url)
  await call('POST', '/api/register', account)
  const { scriptUrl } = PaymentSetup.parse(await call('GET', '/api/paypal/setup'))
  const page = await fetch(`${stack.url}/pricing?pay=true`)
  expect(page.headers.get('content-security-policy')).toContain(`script-src 'self' ${new URL(scriptUrl).origin}`)

  const { id } = PaymentOrder.parse(await call('POST', '/api/paypal/order', {}))
  const approved = await fetch(new URL(`/fake/orders/${id}/approve`, scriptUrl), { method: 'POST', body: '{}' })
  expect(approved.status).toBe(204)
  const captured = await call('POST', `/api/paypal/order/${id}/capture`)
  expect(CapturedOrder.parse(captured)).toMatchObject({ state: 'captured', subscriptionStatus: 'pro' })
})
