import { expect, type Locator, type Page } from '@playwright/test'

/** Goes to an address and waits until a screen or an error is shown. */
export async function openPage(page: Page, path: string) {
  await page.goto(path)
  await page.locator('h1, [role=alert]').first().waitFor({ state: 'attached' })
}

/** Expects each text, in full, on the screen. */
export async function see(page: Page, ...texts: (string | RegExp)[]) {
  for (const text of texts) {
    const shown = page.getByText(text, { exact: true }).filter({ visible: true })
    await expect(shown.first()).toBeVisible()
  }
}

/** Expects a toast with this title and, if given, this description. */
export async function seeToast(page: Page, title: string, description?: string | RegExp) {
  const titled = page.locator('li[data-state=open]').filter({ has: page.getByText(title, { exact: true }) })
  // One locator for both: a toast can close between two assertions.
  const toast = description === undefined ? titled : titled.filter({ has: page.getByText(description) })
  await expect(toast.first()).toBeVisible()
}

/** Presses Escape in an open layer once it is visible and has the focus, as a person would. */
export async function escapeFrom(opened: Locator) {
  await expect(opened.and(opened.page().locator(':focus-within'))).toBeVisible()
  // The layers below it are notified one frame later.
  await opened.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await opened.page().keyboard.press('Escape')
}

/** Reloads a page with unsaved edits, for which the browser asks first. */
export async function reloadWithEdits(page: Page) {
  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded
}

/** Expects the parameters of the page's address. */
export const expectSearch = (page: Page, expected: Record<string, string>) =>
  expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(expected)

/** Expects that the page is no wider than the window, on a large screen and on a phone. */
export async function expectToFit(page: Page) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  }
}

/** As for a user who has set a font of 24 px. */
export const enlargeFont = (page: Page) => page.evaluate(() => void (document.documentElement.style.fontSize = '24px'))

/** Expects that the second row is below the first. */
export async function expectNoOverlap(rows: Locator) {
  const [first, second] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()]
  expect(second!.y + 1).toBeGreaterThanOrEqual(first!.y + first!.height)
}

/** Collects the calls that the page makes, as "GET /api/stats?x=1". */
export function watchCalls(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}${search}`)
  })
  return calls
}

/** Expects a text in the clipboard, or a match for `expect.stringContaining`. */
export const expectClipboard = (page: Page, text: unknown) =>
  expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toEqual(text)
