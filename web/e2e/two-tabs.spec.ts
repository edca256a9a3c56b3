import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { password } from './support/accounts.ts'
import { openPage, see, seeToast } from './support/assertions.ts'
import { test } from './support/test.ts'

test.use({ visitor: 'guest' })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a view whose name another tab has just used appears, and can be replaced', async ({
  page,
  origin,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('two')
  await openPage(page, '/request-logs')
  await press(page, 'Saved views')
  await page.getByLabel('Name of the current view').fill('Failures')
  await page.request.post('/api/views', {
    data: { screen: 'request-logs', name: 'Failures', search: { status: 'error' } },
    headers: { origin },
  })
  await press(page, 'Save')
  await seeToast(page, 'Failed to save the view')
  await expect(page.getByRole('button', { name: 'Failures', exact: true })).toBeVisible()
  await press(page, 'Replace')
  await seeToast(page, 'View saved')
})

test('two-factor sign-in that another tab has switched on, and then off, is shown as such', async ({
  page,
  origin,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('two')
  const call = async (path: string, data = {}) =>
    (await page.request.post(`/api/user/two-factor/${path}`, { data, headers: { origin } })).json()

  await openPage(page, '/profile?tab=security')
  await press(page, 'Set up')
  const { secret } = await call('setup', { currentPassword: password })
  await call('enable', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
  await page.getByRole('dialog').getByLabel('Current Password').fill(password)
  await press(page, 'Continue')
  await see(page, 'On', '10 recovery codes left')
  await page.keyboard.press('Escape')

  await press(page, 'Switch off')
  await call('disable')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await seeToast(page, 'Update failed', 'Two-factor sign-in is not enabled.')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await see(page, 'Off')
})
