import { expect, type Locator, type Page } from '@playwright/test'

/** Maximum presses of Tab from one end of a screen to the other. */
const maxPresses = 100

/** Moves the focus to an element with the Tab key. */
export async function tabTo(target: Locator) {
  await expect(target).toBeVisible()
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < maxPresses && !(await isFocused()); presses++)
    await target.page().keyboard.press('Tab')
  await expect(target).toBeFocused()
}

/** Moves the focus to an element and presses a key there. */
export async function pressAt(target: Locator, key = 'Enter') {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Chooses the command palette's first match. */
export async function choose(page: Page, words: string) {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}
