import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { password } from './support/accounts.ts'
import { escapeFrom, openPage, see, seeToast } from './support/assertions.ts'
import { demandPassword, hold } from './support/intercept.ts'
import { choose } from './support/keyboard.ts'
import { test } from './support/test.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it’s you' })

test('another origin, signed in long ago: asks for the password, no code; a wrong one is rejected at the field; the right one saves by itself', async ({
  page,
  signInAsNewAccount,
}) => {
  const { username } = await signInAsNewAccount('mover')
  await openPage(page, '/proxy-config')
  await demandPassword(page, 'POST', '/api/proxy/config')
  const baseUrl = page.getByLabel('Base URL')
  await baseUrl.fill((await baseUrl.inputValue()).replace('127.0.0.1', 'localhost'))
  await page.getByRole('button', { name: 'Save Changes' }).click()
  const dialog = question(page)
  await expect(dialog.getByLabel('Current Password')).toBeFocused()
  await expect(dialog.locator('[autocomplete=username]')).toHaveValue(username)
  await dialog.getByLabel('Current Password').fill('wrong password')
  await page.keyboard.press('Enter')
  await see(page, 'Current password is wrong')
  await expect(dialog.getByLabel('Code')).toHaveCount(0)
  await dialog.getByLabel('Current Password').fill(password)
  await page.keyboard.press('Enter')
  await seeToast(page, 'Success', 'Proxy configuration saved successfully')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Unsaved Changes')).toHaveCount(0)
})

test('two-factor: set up with password, code of the app, recovery codes, which a command or Escape does not lose; renewed, ten others; switched off with password and code', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('careful')
  await openPage(page, '/profile?tab=security')
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = Secret.fromBase32(await dialog.locator('code').innerText())
  const enable = await hold(page, 'POST', '/api/user/two-factor/enable')
  await dialog.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
  await page.keyboard.press('Enter')
  await see(page, 'Checking...')
  await choose(page, 'Analytics')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  enable()
  const codes = dialog.getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const firstCode = await codes.first().innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await see(page, 'On', '10 recovery codes left')

  await page.getByRole('button', { name: 'New codes' }).click()
  const renew = await hold(page, 'POST', '/api/user/two-factor/recovery-codes')
  await dialog.getByRole('button', { name: 'Make new codes' }).click()
  await see(page, 'Making...')
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  renew()
  await expect(codes).toHaveCount(10)
  await expect(dialog.getByText(firstCode)).toHaveCount(0)
  const code = await codes.first().innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await demandPassword(page, 'POST', '/api/user/two-factor/disable')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await question(page).getByLabel('Code').fill(code)
  await question(page).getByLabel('Current Password').fill(password)
  await question(page).getByRole('button', { name: 'Confirm' }).click()
  await seeToast(page, 'Two-factor sign-in is off')
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
})

test('deletion: asks first; given up by Escape, the account and the question stay; then deleted', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('leaver')
  await openPage(page, '/profile?tab=security')
  await demandPassword(page, 'DELETE', '/api/user/account')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const before = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })
  await expect(before.getByText(/API keys, secure tokens, request logs and subscription information/)).toBeVisible()
  await before.getByRole('button', { name: 'Delete Account' }).click()
  await expect(question(page).getByLabel('Current Password')).toBeVisible()
  await escapeFrom(question(page))
  // Behind the question it has no role; it is enabled once the call has ended.
  await expect(before.getByRole('button', { name: 'Delete Account' })).toBeEnabled()
  await expect(page.getByText('Deletion failed')).toHaveCount(0)
  await before.getByRole('button', { name: 'Delete Account' }).click()
  await expect(page).toHaveURL('/auth')
})
