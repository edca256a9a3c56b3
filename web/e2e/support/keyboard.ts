import { expect, type Locator, type Page } from '@playwright/test'

/** Most presses of Tab from one end of a screen to the other. */
const maxPresses = 100

/** Moves to an element as a person with a keyboard does. */
export async function tabTo(target: Locator) {
  await expect(target).toBeVisible()
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < maxPresses && !(await isFocused()); presses++)
    await target.page().keyboard.press('Tab')
  await expect(target).toBeFocused()
}

/** Moves to an element and presses a key there. */
export async function pressAt(target: Locator, key = 'Enter') {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Chooses what the palette finds first. */
export async function choose(page: Page, words: string) {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}
