import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Accounts } from './accounts.ts'
import { type Screen, sizes, themes } from './screens.ts'
import { openPage, withPage } from './visit.ts'

/** Brings a screen up in a context of its own and hands it over, standing still: in light, then in dark. */
export async function openScreen(
  browser: Browser,
  url: string,
  accounts: Accounts,
  screen: Screen,
  size: keyof typeof sizes,
  look: (page: Page, theme: (typeof themes)[number]) => Promise<void>,
) {
  const options: BrowserContextOptions = {
    viewport: sizes[size],
    hasTouch: size === 'narrow',
    reducedMotion: 'reduce',
    ...(screen.as !== 'nobody' && { storageState: accounts[screen.as].storageState }),
  }
  await withPage(browser, options, async (page) => {
    // So that the theme follows the device, which changes below.
    await page.addInitScript(() => localStorage.setItem('theme', 'system'))
    await screen.before?.(page)
    await openPage(page, url + screen.path)
    await screen.ready(page)
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(200)
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      await page.waitForFunction(
        (wanted) => document.documentElement.classList.contains('dark') === wanted,
        theme === 'dark',
      )
      await look(page, theme)
    }
  })
}
