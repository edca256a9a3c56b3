import type { Browser, Page } from 'playwright-core'
import type { Accounts } from './accounts.ts'
import type { Screen, sizes, themes } from './screens.ts'

type View = { size: keyof typeof sizes; theme: (typeof themes)[number]; viewport: { width: number; height: number } }

/** Brings a screen up in a context of its own and hands it over, standing still. */
export async function openScreen(
  browser: Browser,
  url: string,
  accounts: Accounts,
  screen: Screen,
  { size, theme, viewport }: View,
  look: (page: Page) => Promise<void>,
) {
  const context = await browser.newContext({
    viewport,
    hasTouch: size === 'narrow',
    reducedMotion: 'reduce',
    ...(screen.as !== 'nobody' && { storageState: accounts[screen.as].storageState }),
  })
  try {
    await context.addInitScript((stored) => localStorage.setItem('theme', stored), theme)
    const page = await context.newPage()
    await screen.before?.(page)
    await page.goto(url + screen.path)
    await screen.ready(page)
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(200)
    await look(page)
  } finally {
    await context.close()
  }
}
