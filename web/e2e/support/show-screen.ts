import { expect, type Page } from '@playwright/test'
import { openPage } from './assertions.ts'
import type { Screen } from './screens.ts'

export const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } }

/** Opens a screen in its state and waits until it is drawn. */
export async function showScreen(page: Page, screen: Screen) {
  // So that the theme follows the device.
  await page.addInitScript(() => localStorage.setItem('theme', 'system'))
  await screen.before?.(page)
  await openPage(page, screen.path)
  await screen.ready(page)
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

/** Has a look at a shown screen in light, then in dark. */
export async function inBothThemes(page: Page, look: (theme: 'light' | 'dark') => Promise<void>) {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await expect(page.locator('html')).toContainClass(theme)
    await look(theme)
  }
}
