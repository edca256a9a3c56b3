import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { password } from './support/accounts.ts'
import { openPage, see, seeToast } from './support/assertions.ts'
import { test } from './support/test.ts'

test.use({ visitor: 'guest' })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('what another tab has saved is kept by a save of other fields', async ({ page, origin, signInAsNewAccount }) => {
  const { username } = await signInAsNewAccount('two')
  /** Changes something as the other tab. */
  const change = (method: string, path: string, data: object) =>
    page.request.fetch(path, { method, data, headers: { origin } })
  const read = async (path: string) => (await page.request.get(path)).json()

  await openPage(page, '/profile')
  await press(page, 'Edit')
  await change('PATCH', '/api/user/profile', {
    firstName: 'Augusta',
    lastName: 'Lovelace',
    email: `${username}@example.com`,
    username,
  })
  await page.getByLabel('Last Name').fill('King')
  await press(page, 'Save Changes')
  await seeToast(page, 'Profile updated')
  await expect(page.getByRole('heading', { name: 'Augusta King' })).toBeVisible()
  await expect(page.getByLabel('First Name')).toHaveValue('Augusta')

  await page.getByRole('tab', { name: 'Preferences' }).click()
  await change('PATCH', '/api/user/preferences', { timezone: 'Asia/Tokyo' })
  await page.getByRole('switch', { name: 'Usage Reports' }).click()
  await press(page, 'Save Preferences')
  await seeToast(page, 'Preferences updated')
  await expect(page.getByLabel('Timezone')).toHaveValue('Asia/Tokyo')
  expect(await read('/api/user/preferences')).toMatchObject({ timezone: 'Asia/Tokyo', usageReports: true })

  await openPage(page, '/proxy-config')
  const { baseUrl } = await read('/api/proxy/config')
  await page.getByLabel('Retry Attempts').fill('7')
  await change('POST', '/api/proxy/config', { baseUrl, timeout: 45_000, cacheSeconds: 60 })
  await press(page, 'Save Changes')
  await seeToast(page, 'Success')
  await expect(page.getByLabel('Timeout (ms)')).toHaveValue('45000')
  expect(await read('/api/proxy/config')).toMatchObject({ timeout: 45_000, cacheSeconds: 60, retryAttempts: 7 })
})

test('an edited price keeps what another tab has changed of it, and a key its new name', async ({
  page,
  origin,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('two')
  const call = async (method: string, path: string, data?: object) =>
    (await page.request.fetch(path, { method, headers: { origin }, ...(data && { data }) })).json()
  const price = { pattern: 'gpt-4o', input: 1, output: 2, cachedInput: null, perRequest: null }
  const { id } = await call('POST', '/api/model-prices', price)

  await openPage(page, '/proxy-config')
  const dialog = page.getByRole('dialog')
  await press(page, 'Edit gpt-4o')
  const longPrompts = { aboveTokens: 200_000, input: 2, output: 4 }
  await call('PUT', `/api/model-prices/${id}`, { ...price, input: 3, longPrompts })
  await dialog.getByLabel('Output (USD)', { exact: true }).fill('5')
  await press(page, 'Save Changes')
  await seeToast(page, 'Model price changed')
  await expect(dialog).toBeHidden()
  expect(await call('GET', '/api/model-prices')).toMatchObject([{ input: 3, output: 5, longPrompts }])
  await press(page, 'Edit gpt-4o')
  await dialog.getByLabel('Long Output (USD)').fill('6')
  await press(page, 'Save Changes')
  await expect(dialog).toBeHidden()
  expect(await call('GET', '/api/model-prices')).toMatchObject([{ longPrompts: { ...longPrompts, output: 6 } }])

  const key = await call('POST', '/api/keys', { name: 'Old', key: 'sk-old' })
  await openPage(page, '/api-keys')
  await press(page, 'Rename Old')
  await call('PATCH', `/api/keys/${key.id}`, { name: 'New' })
  await expect(dialog.getByRole('button', { name: 'Save Changes' })).toBeDisabled()
})

test('an alert keeps the webhooks that another tab has switched', async ({ page, origin, signInAsNewAccount }) => {
  await signInAsNewAccount('two')
  const call = async (method: string, path: string, data?: object) =>
    (await page.request.fetch(path, { method, headers: { origin }, ...(data && { data }) })).json()
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three'])
    ids.push((await call('POST', '/api/webhooks', { name, url: 'https://receiver.invalid/hook' })).id)
  const [one, two, three] = ids
  const condition = { measure: 'requests', comparison: 'over', threshold: 1, windowMinutes: 5, group: null }
  const filters = { status: 'all', method: 'all' }
  const alert = { name: 'Busy', ...condition, filters, enabled: true, mail: true, webhookIds: [one] }
  const { id } = await call('POST', '/api/alerts', alert)

  await openPage(page, '/alerts')
  await press(page, 'Edit Busy')
  await page.getByRole('switch', { name: 'Webhook One' }).setChecked(false)
  await page.getByRole('switch', { name: 'Webhook Three' }).setChecked(true)
  await call('PATCH', `/api/alerts/${id}`, { webhookIds: [one, two] })
  await press(page, 'Save Changes')
  await seeToast(page, 'Alert changed')
  const { alerts } = await call('GET', '/api/alerts')
  expect(alerts[0].webhookIds.toSorted()).toEqual([two, three].toSorted())
})

test('a configuration that was saved is shown although it could not be read again', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('two')
  await openPage(page, '/proxy-config')
  const attempts = page.getByLabel('Retry Attempts')
  await attempts.fill('7')
  let isSaved = false
  await page.route('/api/proxy/config', (route) => {
    if (route.request().method() === 'POST') isSaved = true
    else if (isSaved) return route.fulfill({ status: 503 })
    return route.fallback()
  })
  await press(page, 'Save Changes')
  await seeToast(page, 'Success')
  await expect(page.getByText('Unsaved Changes')).toBeHidden()
  await expect(attempts).toHaveValue('7')
})

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
  // Until the call has ended, Escape does nothing.
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled()
  await page.keyboard.press('Escape')

  await press(page, 'Switch off')
  await call('disable')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await seeToast(page, 'Update failed', 'Two-factor sign-in is not enabled.')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await see(page, 'Off')
})

test('a token and a key that another tab has deleted go when they are copied or tested', async ({
  page,
  origin,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('two')
  const headers = { origin }
  for (const { path, screen, data, button } of [
    { path: '/api/tokens', screen: '/secure-tokens', data: { name: 'Backend' }, button: 'Copy the full token Backend' },
    { path: '/api/keys', screen: '/api-keys', data: { name: 'Old', key: 'sk-old' }, button: 'Test Old' },
  ]) {
    const { id } = await (await page.request.post(path, { data, headers })).json()
    await openPage(page, screen)
    const control = page.getByRole('button', { name: button })
    await expect(control).toBeVisible()
    await page.request.delete(`${path}/${id}`, { headers })
    await control.click()
    await expect(control).toBeHidden()
  }
})
