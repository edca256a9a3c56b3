import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '#tools/test/browser.ts'
import { createAccount } from './accounts.ts'
import { see, settles } from './assertions.ts'
import { openPage, withPage } from './visit.ts'

let browser: Browser
let url: string

beforeAll(async () => {
  const opened = await openBrowser()
  browser = opened.browser
  url = opened.stackUrl
})
afterAll(() => browser?.close())

/** Opens a page for a new account, and tells what its policy has kept it from. */
async function withSignedIn(path: string, use: (page: Page, refused: string[]) => Promise<void>) {
  const { storageState } = await createAccount(browser, url, 'buyer', { keys: [], requests: 0 })
  await withPage(browser, { storageState, viewport: { width: 1440, height: 900 } }, async (page) => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text())
    })
    await openPage(page, url + path)
    await use(page, refused)
  })
}

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const hasScript = (page: Page) => page.evaluate(() => 'paypal' in window)

test('who comes to the prices from another screen can pay, and has the plan at once', () =>
  withSignedIn('/', async (page, refused) => {
    await goTo(page, 'Pricing')
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await page
      .getByRole('dialog', { name: 'PayPal stand-in' })
      .getByRole('button', { name: 'Pay', exact: true })
      .click()
    await page.getByRole('button', { name: 'Current Plan' }).waitFor()
    await openPage(page, `${url}/profile?tab=billing`)
    await see(page, 'Pro Plan')
    expect(refused).toEqual([])
  }))

test('the payment provider’s script is on no other screen, also for who comes from the prices', () =>
  withSignedIn('/pricing', async (page) => {
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
    await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor()
    await settles(() => hasScript(page), true)
    await goTo(page, 'API Keys')
    await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor()
    await settles(() => hasScript(page), false)
    await page.goBack()
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
    await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor()
  }))
