import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { becomeSomebodyNew, password } from '../accounts.ts'
import { demandPassword, see, seeToast, settles } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it’s you' })

/** @returns a recovery code */
async function switchTwoFactorOn(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current Password').fill(password)
  await page.keyboard.press('Enter')
  const secret = Secret.fromBase32((await dialog.locator('code').textContent()) ?? '')
  await dialog.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
  await page.keyboard.press('Enter')
  const code = (await dialog.getByRole('listitem').first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  return code
}

export const confirmPasswordRows = checklist('Confirmation', { as: 'regular', path: '/profile?tab=security' }, [
  [
    'another origin, signed in long ago',
    'asks for the password, no code; a wrong one is refused at the field; the right one saves by itself',
    'decisions, Safety',
    async ({ page }) => {
      await demandPassword(page, 'POST', '/api/proxy/config')
      const baseUrl = page.getByLabel('Base URL')
      await baseUrl.fill((await baseUrl.inputValue()).replace('127.0.0.1', 'localhost'))
      await page.getByRole('button', { name: 'Save Changes' }).click()
      const dialog = question(page)
      await dialog.getByLabel('Current Password').fill('wrong password')
      expect(await dialog.getByLabel('Code').count()).toBe(0)
      await page.keyboard.press('Enter')
      await see(page, 'Current password is wrong')
      await dialog.getByLabel('Current Password').fill(password)
      await page.keyboard.press('Enter')
      await seeToast(page, 'Success', 'Proxy configuration saved successfully')
      await dialog.waitFor({ state: 'detached' })
      await settles(() => page.getByText('Unsaved Changes').count(), 0)
    },
    { path: '/proxy-config', before: ({ page, url }) => becomeSomebodyNew(page, url, 'mover') },
  ],
  [
    'two-factor switched off, signed in long ago',
    'asks for the password and a code; then it is off',
    'decisions, Safety',
    async ({ page }) => {
      const code = await switchTwoFactorOn(page)
      await demandPassword(page, 'POST', '/api/user/two-factor/disable')
      await page.getByRole('button', { name: 'Switch off' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
      const dialog = question(page)
      await dialog.getByLabel('Code').fill(code)
      await dialog.getByLabel('Current Password').fill(password)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await seeToast(page, 'Two-factor sign-in is off')
      await page.getByRole('button', { name: 'Set up' }).waitFor()
    },
    { before: ({ page, url }) => becomeSomebodyNew(page, url, 'careless') },
  ],
  [
    'new recovery codes',
    'asks first; ten others',
    'decisions, Safety',
    async ({ page }) => {
      const code = await switchTwoFactorOn(page)
      await page.getByRole('button', { name: 'New codes' }).click()
      const dialog = page.getByRole('dialog', { name: 'New recovery codes' })
      await dialog.getByRole('button', { name: 'Make new codes' }).click()
      await settles(() => dialog.getByRole('listitem').count(), 10)
      expect(await dialog.getByText(code).count()).toBe(0)
    },
    { before: ({ page, url }) => becomeSomebodyNew(page, url, 'renewer') },
  ],
  [
    'deletion, given up and done again',
    'Escape leaves the account and the question before it as they are',
    'decisions, Safety',
    async ({ page }) => {
      await demandPassword(page, 'DELETE', '/api/user/account')
      await page.getByRole('button', { name: 'Delete Account' }).click()
      const before = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })
      await before.getByRole('button', { name: 'Delete Account' }).click()
      await question(page).getByLabel('Current Password').waitFor()
      await page.keyboard.press('Escape')
      await question(page).waitFor({ state: 'detached' })
      expect(await page.getByText('Deletion failed').count()).toBe(0)
      await before.getByRole('button', { name: 'Delete Account' }).click()
      await page.waitForURL('**/auth')
    },
    { before: ({ page, url }) => becomeSomebodyNew(page, url, 'leaver') },
  ],
])
