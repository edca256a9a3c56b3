import { expect, type Page } from '@playwright/test'
import { openPage, see } from './support/assertions.ts'
import { test } from './support/test.ts'

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const hasScript = (page: Page) => page.evaluate(() => 'paypal' in window)
const payWithPayPal = (page: Page) => page.getByRole('button', { name: 'Pay with PayPal' })

test.use({ visitor: 'nobody' })
test.beforeEach(({ signInAsNewAccount }) => signInAsNewAccount('buyer'))

test('an account that opens Pricing from another screen can pay, and has the plan at once', async ({ page }) => {
  const blocked: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) blocked.push(message.text())
  })
  await openPage(page, '/')
  await goTo(page, 'Pricing')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await payWithPayPal(page).click()
  const dialog = page.getByRole('dialog', { name: 'PayPal stand-in' })
  await dialog.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Current Plan' })).toBeVisible()
  await openPage(page, '/profile?tab=billing')
  await see(page, 'Pro Plan')
  expect(blocked).toEqual([])
})

test('the payment provider’s script is on no other screen, also after Pricing', async ({ page }) => {
  await openPage(page, '/pricing')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await expect(payWithPayPal(page)).toBeVisible()
  await expect.poll(() => hasScript(page)).toBe(true)
  await goTo(page, 'API Keys')
  await expect(page.getByRole('heading', { name: 'API Keys', level: 1 })).toBeVisible()
  await expect.poll(() => hasScript(page)).toBe(false)
  await page.goBack()
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await expect(payWithPayPal(page)).toBeVisible()
})
