import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { password } from './support/accounts.ts'
import { openPage, see, seeToast } from './support/assertions.ts'
import { demandPassword } from './support/intercept.ts'
import { test } from './support/test.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it’s you' })

/** @returns a recovery code */
async function switchTwoFactorOn(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current Password').fill(password)
  await page.keyboard.press('Enter')
  const secret = Secret.fromBase32(await dialog.locator('code').innerText())
  await dialog.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
  await page.keyboard.press('Enter')
  const code = await dialog.getByRole('listitem').first().innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return code
}

test('another origin, signed in long ago: asks for the password, no code; a wrong one is rejected at the field; the right one saves by itself', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('mover')
  await openPage(page, '/proxy-config')
  await demandPassword(page, 'POST', '/api/proxy/config')
  const baseUrl = page.getByLabel('Base URL')
  await baseUrl.fill((await baseUrl.inputValue()).replace('127.0.0.1', 'localhost'))
  await page.getByRole('button', { name: 'Save Changes' }).click()
  const dialog = question(page)
  await dialog.getByLabel('Current Password').fill('wrong password')
  await expect(dialog.getByLabel('Code')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await see(page, 'Current password is wrong')
  await dialog.getByLabel('Current Password').fill(password)
  await page.keyboard.press('Enter')
  await seeToast(page, 'Success', 'Proxy configuration saved successfully')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Unsaved Changes')).toHaveCount(0)
})

test('two-factor switched off, signed in long ago: asks for the password and a code; then it is off', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('careless')
  await openPage(page, '/profile?tab=security')
  const code = await switchTwoFactorOn(page)
  await demandPassword(page, 'POST', '/api/user/two-factor/disable')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  const dialog = question(page)
  await dialog.getByLabel('Code').fill(code)
  await dialog.getByLabel('Current Password').fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await seeToast(page, 'Two-factor sign-in is off')
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
})

test('new recovery codes: asks first; ten others', async ({ page, signInAsNewAccount }) => {
  await signInAsNewAccount('renewer')
  await openPage(page, '/profile?tab=security')
  const code = await switchTwoFactorOn(page)
  await page.getByRole('button', { name: 'New codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'New recovery codes' })
  await dialog.getByRole('button', { name: 'Make new codes' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  await expect(dialog.getByText(code)).toHaveCount(0)
})

test('deletion, given up and done again: Escape leaves the account and the question before it as they are', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('leaver')
  await openPage(page, '/profile?tab=security')
  await demandPassword(page, 'DELETE', '/api/user/account')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const before = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })
  await before.getByRole('button', { name: 'Delete Account' }).click()
  await expect(question(page).getByLabel('Current Password')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(page.getByText('Deletion failed')).toHaveCount(0)
  await before.getByRole('button', { name: 'Delete Account' }).click()
  await expect(page).toHaveURL('/auth')
})
