import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { planTable } from '#schemas/plans.ts'
import { answer, fail, failureText, holdTimers, see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist, type Visit } from '../checklist-table.ts'

/** The payment provider's script as the stand-in serves it, and an order that can be paid. */
async function standIn({ page, url }: Visit) {
  const script = await readFile(new URL('../../../deploy/tools/fake-paypal/browser-sdk.js', import.meta.url), 'utf8')
  await page.route('**/stand-in.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
  await page.route('**/stand-in/orders/**', (route) => route.fulfill({ status: 204 }))
  await answer(page, 'GET', '/api/paypal/setup', 200, { clientToken: 'token', scriptUrl: `${url}/stand-in.js` })
  await answer(page, 'POST', '/api/paypal/order', 200, { id: 'ORDER-1' })
  await answer(page, 'POST', '/api/paypal/order/ORDER-1/capture', 200, {})
}

export const pricingRows = checklist('Pricing', { as: 'regular', path: '/pricing' }, [
  [
    'opened',
    'title, three plans, why, questions',
    '§2, §9',
    async ({ page }) => {
      await see(page, 'Simple, Transparent Pricing', '$0', '$29', '$99', 'Why upgrade to Pro?')
      await see(page, 'Unlimited requests', 'Up to 10 tokens', '99.9% uptime SLA', 'Unlimited tokens')
      await see(page, 'Paid plans carry a 30-day money-back guarantee.')
    },
  ],
  [
    'the operator has changed the limits',
    'the limits that hold on this server, in the same words',
    '§9, decisions, Enforcement',
    async ({ page }) => {
      await see(page, '1,000 API requests per day', 'Up to 5 tokens', 'Up to 25 tokens', '50,000 requests/month')
      expect(await page.getByText('5 API requests per day', { exact: true }).count()).toBe(0)
    },
    {
      before: ({ page }) =>
        answer(
          page,
          'GET',
          '/api/plans',
          200,
          planTable({
            free: { requestsPerDay: 1_000, tokens: 5 },
            pro: { requestsPerMonth: 50_000, tokens: 25 },
          }),
        ),
    },
  ],
  [
    'failing',
    'says what happened and offers a retry',
    'design',
    ['The plans could not be loaded', failureText, 'Try again'],
    { before: ({ page }) => fail(page, 'GET', '/api/plans') },
  ],
  [
    'on the free plan',
    'its button says Current Plan and is disabled',
    '§2',
    async ({ page }) => {
      expect(await page.getByRole('button', { name: 'Current Plan' }).isDisabled()).toBe(true)
      expect(await page.getByRole('link', { name: 'Contact Sales' }).getAttribute('href')).toMatch(/^mailto:/)
    },
  ],
  [
    'Upgrade to Pro, no payments',
    'the payment area says so',
    'decisions',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
      await see(page, 'Complete your upgrade')
      await page.getByText('Payments are not set up on this server.').waitFor()
    },
    {
      before: ({ page }) =>
        answer(page, 'GET', '/api/paypal/setup', 503, {
          type: 'about:blank',
          title: 'Payments not set up',
          status: 503,
          code: 'payments-not-configured',
          detail: 'Payments are not set up on this server.',
          instance: 'r1',
        }),
    },
  ],
  [
    'paid, cancelled, failed at the payment provider',
    'captured, or only told to the console; the price is asked for as stated',
    '§4, Payment flow',
    async ({ page }) => {
      const told: string[] = []
      page.on('console', (message) => told.push(message.text()))
      const calls = watchCalls(page)
      const ordered = page.waitForRequest('**/api/paypal/order')
      await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
      for (const [choice, text] of [
        ['Pay', 'Payment captured'],
        ['Cancel', 'Payment cancelled'],
        ['Fail', 'Payment error'],
      ] as const) {
        await page.getByRole('button', { name: 'Pay with PayPal' }).click()
        await page.getByRole('button', { name: choice, exact: true }).click()
        await settles(() => told.some((line) => line.startsWith(text)), true)
      }
      expect((await ordered).postDataJSON()).toEqual({ amount: '29.00', currency: 'USD', intent: 'CAPTURE' })
      expect(calls.filter((call) => call.endsWith('/capture'))).toHaveLength(1)
    },
    { before: standIn },
  ],
  [
    'session over while paying',
    'toast Unauthorized, then the sign-in',
    '§8',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
      await page.getByRole('button', { name: 'Pay with PayPal' }).click()
      const pay = page.getByRole('button', { name: 'Pay', exact: true })
      await pay.waitFor()
      const timers = await holdTimers(page, 500)
      await page.context().clearCookies()
      await pay.click()
      await seeToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
      await timers.letGo()
      await page.waitForURL('**/auth')
      await page.getByRole('button', { name: 'Login' }).waitFor()
    },
    { before: standIn },
  ],
])
