import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import pTimeout from 'p-timeout'

const patienceMs = 15_000

/**
 * Gives a test a page in a browser context of its own, and closes it whatever comes of the test. Bounded, because
 * Playwright waits forever, and so does Chromium when a context closes while its page goes to another document.
 */
export async function withPage(browser: Browser, options: BrowserContextOptions, use: (page: Page) => Promise<void>) {
  const context = await bounded(browser.newContext(options), 'The browser opens no context')
  const close = () =>
    bounded(context.close(), 'The context does not close. Did the test end while its page was leaving?')
  try {
    context.setDefaultTimeout(patienceMs)
    await use(await bounded(context.newPage(), 'The context opens no page'))
  } catch (error) {
    // The first failure is the one to report.
    await close().catch(() => undefined)
    throw error
  }
  await close()
}

const bounded = <T>(promise: Promise<T>, message: string) => pTimeout(promise, { milliseconds: patienceMs, message })

/**
 * Goes to an address and waits until a screen stands there, or says why not. Asked once a frame: what a locator waits
 * for, it looks for less and less often.
 */
export async function openPage(page: Page, address: string) {
  await page.goto(address)
  await page.waitForFunction(() => document.querySelector('h1, [role=alert]') !== null)
}
