import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '#deploy/test/browser.ts'
import { createAccount } from './accounts.ts'
import { see, settles } from './assertions.ts'
import { openPage } from './visit.ts'

let browser: Browser
let url: string

beforeAll(async () => {
  const opened = await openBrowser()
  browser = opened.browser
  url = opened.stackUrl
})
afterAll(() => browser?.close())

/** A signed-in page, and what its policy has kept it from. */
async function openSignedIn(path: string): Promise<{ page: Page; refused: string[] }> {
  const { storageState } = await createAccount(browser, url, 'buyer', { keys: [], requests: 0 })
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await openPage(page, url + path)
  return { page, refused }
}

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const hasScript = (page: Page) => page.evaluate(() => 'paypal' in window)

test('who comes to the prices from another screen can pay, and has the plan at once', async () => {
  const { page, refused } = await openSignedIn('/')
  await goTo(page, 'Pricing')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await page.getByRole('button', { name: 'Pay with PayPal' }).click()
  await page.getByRole('dialog', { name: 'PayPal stand-in' }).getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('button', { name: 'Current Plan' }).waitFor()
  await openPage(page, `${url}/profile?tab=billing`)
  await see(page, 'Pro Plan')
  expect(refused).toEqual([])
  await page.context().close()
})

test('the payment provider’s script is on no other screen, also for who comes from the prices', async () => {
  const { page } = await openSignedIn('/pricing')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor()
  await settles(() => hasScript(page), true)
  await goTo(page, 'API Keys')
  await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor()
  await settles(() => hasScript(page), false)
  await page.goBack()
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor()
  await page.context().close()
})
