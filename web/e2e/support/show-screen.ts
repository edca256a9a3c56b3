import { expect, type Page } from '@playwright/test'
import { openPage, see } from './assertions.ts'
import type { Screen } from './screens.ts'

export const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } }

/** Opens a screen in its state and waits until it is drawn. */
export async function showScreen(page: Page, { path, before, press, act, shows, hides = [] }: Screen) {
  // Makes the theme follow the device.
  const themed = await page.addInitScript(() => localStorage.setItem('theme', 'system'))
  await before?.(page)
  await openPage(page, path)
  await themed.dispose()
  if (press) await page.getByRole('button', { name: press }).first().click()
  await act?.(page)
  await see(page, ...shows)
  for (const text of hides) await expect(page.getByText(text, { exact: true })).toHaveCount(0)
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

/** Runs `look` on a shown screen in the light theme, then in the dark one. */
export async function inBothThemes(page: Page, look: (theme: 'light' | 'dark') => Promise<void>) {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await expect(page.locator('html')).toContainClass(theme)
    await look(theme)
  }
}
