import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '#tools/test/browser.ts'
import { type Account, becomeSomebodyNew, createAccount, password } from './accounts.ts'
import { settles } from './assertions.ts'
import { openPage, withPage } from './visit.ts'

let browser: Browser
let url: string
let ann: Account
let bob: Account

beforeAll(async () => {
  const opened = await openBrowser()
  browser = opened.browser
  url = opened.stackUrl
  ann = await createAccount(browser, url, 'ann', { keys: [], requests: 0 })
  bob = await createAccount(browser, url, 'bob', { keys: [], requests: 0 })
})
afterAll(() => browser?.close())

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Another account has signed in' })

/** Signs in on the sign-in page. */
async function signInAsBob(page: Page) {
  await page.getByLabel('Username').fill(bob.username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

test('a sign-out in one tab ends the other, and a sign-in there brings it back', () =>
  withPage(browser, {}, async (page) => {
    const second = await page.context().newPage()
    await becomeSomebodyNew(page, url, 'leaver')
    await openPage(page, `${url}/api-keys`)
    await openPage(second, url)
    await second.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/auth')
    await second.waitForURL('**/auth')
    await signInAsBob(second)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  }))

test('a sign-in as another account is told at once, and the tab can be reloaded by keyboard', () =>
  withPage(browser, { storageState: ann.storageState }, async (page) => {
    const second = await page.context().newPage()
    await openPage(page, `${url}/profile`)
    await page.context().clearCookies()
    await openPage(second, `${url}/auth`)
    const username = page.getByLabel('Username')
    await settles(() => username.inputValue(), ann.username)
    await signInAsBob(second)
    await dialogOf(page).waitFor()
    const reload = dialogOf(page).getByRole('button', { name: 'Reload' })
    for (let presses = 0; presses < 4 && !(await reload.evaluate((it) => it === document.activeElement)); presses++) {
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await settles(() => username.inputValue(), bob.username)
  }))

test('a tab that was told nothing saves nothing to another account, and says so on a phone too', () =>
  withPage(browser, { storageState: bob.storageState, viewport: { width: 390, height: 844 } }, async (page) => {
    await openPage(page, `${url}/proxy-config`)
    await becomeSomebodyNew(page, url, 'other')
    await page.getByLabel('Retry Attempts').fill('7')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await dialogOf(page).getByText(bob.username).waitFor()
    await expect.poll(() => dialogOf(page).boundingBox()).toMatchObject({ x: 12, width: 366 })
    const config = await (await page.request.get(`${url}/api/proxy/config`)).json()
    expect(config.retryAttempts).not.toBe(7)
    // What was typed can still be copied.
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Retry Attempts').inputValue()).toBe('7')
  }))
