import { expect } from '@playwright/test'
import { planTable } from '#schemas/plans.ts'
import { openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { changeResponse, fakePayPal, holdTimers, respond, respondWithProblem } from './support/intercept.ts'
import { test } from './support/test.ts'

test('the operator has changed the limits: the limits that hold on this server, in the same words', async ({
  page,
}) => {
  const limits = { free: { requestsPerDay: 1_000, tokens: 5 }, pro: { requestsPerMonth: 50_000, tokens: 25 } }
  await respond(page, 'GET', '/api/plans', 200, planTable(limits))
  await openPage(page, '/pricing')
  await see(page, '1,000 API requests per day', 'Up to 5 tokens', 'Up to 25 tokens', '50,000 requests/month')
  await expect(page.getByText('5 API requests per day', { exact: true })).toHaveCount(0)
})

test('on the free plan: its button is disabled; Upgrade to Pro, no payments: the payment area says so; on paper: the plans, without the frame and without buttons', async ({
  page,
}) => {
  await respondWithProblem(page, 'GET', '/api/paypal/setup', 'payments-not-configured')
  await openPage(page, '/pricing')
  await expect(page.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
  await page.getByRole('button', { name: 'Contact Sales' }).click()
  await seeToast(page, 'Ask the operator')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await see(page, 'Complete your upgrade')
  await expect(page.getByText('Payments are not set up on this server.')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await see(page, 'Free', 'Pro', 'Enterprise')
  await expect(page.getByRole('complementary')).toBeHidden()
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0)
})

test('cancelled, failed at the payment provider, paid: only logged to the console; the price is asked for as stated; once paid, the payment area is gone', async ({
  page,
}) => {
  await fakePayPal(page)
  await openPage(page, '/pricing')
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  const calls = watchCalls(page)
  const ordered = page.waitForRequest('**/api/paypal/order')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  for (const [choice, text] of [
    ['Cancel', 'Payment cancelled'],
    ['Fail', 'Payment error'],
    ['Pay', 'Payment captured'],
  ] as const) {
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await page.getByRole('button', { name: choice, exact: true }).click()
    await expect.poll(() => logged.some((line) => line.startsWith(text))).toBe(true)
  }
  expect((await ordered).postDataJSON()).toEqual({ amount: '29.00', currency: 'USD', intent: 'CAPTURE' })
  expect(calls.filter((call) => call.endsWith('/capture'))).toHaveLength(1)
  await expect(page).toHaveURL('/pricing')
  await expect(page.getByRole('button', { name: 'Upgrade to Pro' })).toBeVisible()
  await expect(page.getByText('Complete your upgrade')).toHaveCount(0)
})

test('a Pro plan, near its end or past it: renewed through Billing, even if the requests can’t be counted; before that there is nothing to pay', async ({
  page,
}) => {
  await fakePayPal(page)
  await changeResponse(page, '/api/user', { subscriptionStatus: 'pro' })
  const area = page.getByText('Complete your upgrade')
  for (const status of ['ending', 'grace']) {
    await changeResponse(page, '/api/billing', { plan: 'pro', status, usage: { today: null, month: null } })
    await openPage(page, '/profile?tab=billing')
    await see(page, 'The number of requests can’t be read at the moment.')
    await page.getByRole('link', { name: 'Renew the plan' }).click()
    await expect(area).toBeVisible()
    await expect(page.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
  }
  await changeResponse(page, '/api/billing', { plan: 'pro', status: 'active', contactEmail: 'sales@example.com' })
  await openPage(page, '/pricing?pay=true')
  await expect(page.getByRole('link', { name: 'Contact Sales' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
  await expect(area).toHaveCount(0)
})

test('on a higher plan: Upgrade to Pro says that there is nothing to pay', async ({ page }) => {
  await fakePayPal(page)
  await changeResponse(page, '/api/user', { subscriptionStatus: 'enterprise' })
  await openPage(page, '/pricing')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await see(page, 'Complete your upgrade', 'Your plan already includes the Pro Plan, so there is nothing to pay.')
  await expect(page.getByRole('button', { name: 'Pay with PayPal' })).toHaveCount(0)
})

test('paid before, but the response was lost: the order says so, and the plan is there', async ({ page }) => {
  await fakePayPal(page)
  await openPage(page, '/pricing?pay=true')
  const button = page.getByRole('button', { name: 'Pay with PayPal' })
  await expect(button).toBeVisible()
  await respondWithProblem(page, 'POST', '/api/paypal/order', 'already-subscribed')
  await changeResponse(page, '/api/user', { subscriptionStatus: 'pro' })
  await changeResponse(page, '/api/billing', { plan: 'pro', status: 'active' })
  await button.click()
  await expect(page.getByText('Complete your upgrade')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
})

test('session over while paying: toast Unauthorized, then the sign-in', async ({ page }) => {
  await fakePayPal(page)
  await respondWithProblem(page, 'POST', '/api/paypal/order/ORDER-1/capture', 'unauthorized')
  await openPage(page, '/pricing')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await page.getByRole('button', { name: 'Pay with PayPal' }).click()
  const pay = page.getByRole('button', { name: 'Pay', exact: true })
  await expect(pay).toBeVisible()
  const timers = await holdTimers(page, 500)
  await page.context().clearCookies()
  await pay.click()
  await seeToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
  await timers.fire()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
})

test.describe('of an account that pays', () => {
  test.use({ visitor: 'guest' })

  test('Pricing is no document of its own; the payment script is in that of a payment alone; an account that came from another screen can pay, and has the plan at once', async ({
    page,
    signInAsNewAccount,
  }) => {
    await signInAsNewAccount('buyer')
    const blocked: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) blocked.push(message.text())
    })
    const hasScript = () => page.evaluate(() => 'paypal' in window)
    const pay = page.getByRole('button', { name: 'Pay with PayPal' })
    await openPage(page, '/')
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.getByRole('link', { name: 'Pricing', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Simple, Transparent Pricing' })).toBeVisible()
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
    await expect(pay).toBeVisible()
    await expect.poll(hasScript).toBe(true)
    await page.getByRole('link', { name: 'API Keys', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'API Keys', level: 1 })).toBeVisible()
    await expect.poll(hasScript).toBe(false)
    await page.goBack()
    await pay.click()
    const dialog = page.getByRole('dialog', { name: 'Fake PayPal' })
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect(page).toHaveURL('/pricing')
    await expect(page.getByRole('button', { name: 'Current Plan' })).toBeVisible()
    await openPage(page, '/profile?tab=billing')
    await see(page, 'Pro Plan')
    expect(blocked).toEqual([])
  })
})
