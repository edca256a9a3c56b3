import type { Page } from 'playwright-core'

/**
 * Goes to an address and waits until a screen stands there, or says why not. Asked once a frame: what a locator waits
 * for, it looks for less and less often.
 */
export async function openPage(page: Page, address: string) {
  await page.goto(address)
  await page.waitForFunction(() => document.querySelector('h1, [role=alert]') !== null)
}
