import { expect, request } from '@playwright/test'
import { password } from './support/accounts.ts'
import { openPage, see, seeToast } from './support/assertions.ts'
import { fail, failureText, respond } from './support/intercept.ts'
import { test } from './support/test.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('opened: photo, four tabs, fields read-only; Edit, emptied, saved: messages at the fields; the focus goes to the first field, and back to Edit', async ({
  page,
}) => {
  await openPage(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['Profile', 'Security', 'Preferences', 'Billing'])
  await expect(page.getByLabel('First Name')).not.toBeEditable()
  const edit = page.getByRole('button', { name: 'Edit' })
  await edit.press('Enter')
  await expect(page.getByLabel('First Name')).toBeFocused()
  await page.getByLabel('First Name').fill('')
  await page.getByLabel('Last Name').fill('')
  await page.getByLabel('Username').fill('ab')
  await page.getByLabel('Email Address').fill('nobody')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await see(page, 'First name is required', 'Last name is required', 'Invalid email address')
  await see(page, 'Username must be at least 3 characters')
  await page.getByRole('button', { name: 'Cancel' }).last().press('Enter')
  await expect(page.getByLabel('First Name')).toHaveValue('Ada')
  await expect(edit).toBeFocused()
  await edit.press('Enter')
  await page.getByRole('button', { name: 'Save Changes' }).press('Enter')
  await expect(edit).toBeFocused()
})

test('password: empty, messages at the fields; different, a live hint, then a message; wrong, a toast', async ({
  page,
  account,
}) => {
  await openPage(page, '/profile?tab=safety')
  await see(page, 'Part of this link could not be read')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.getByRole('tab', { name: 'Security' }).click()
  // For password managers.
  await expect(page.locator('form [autocomplete=username]')).toHaveValue(account.username)
  const update = () => page.getByRole('button', { name: 'Update Password' }).click()
  await update()
  await see(page, 'Current password is required', 'Password must be at least 8 characters')
  await see(page, 'Please confirm your password')
  await page.getByLabel('Current Password').fill('not it at all')
  await page.getByLabel('New Password').fill('long enough 1')
  await page.getByLabel('Confirm Password').fill('long')
  await see(page, 'Passwords do not match')
  await update()
  await see(page, "Passwords don't match")
  await page.getByLabel('Confirm Password').fill('long enough 1')
  await update()
  await seeToast(page, 'Password change failed')
})

test('signed in elsewhere too: named, and signed out there; the activity says from where, at 390 px too', async ({
  page,
  origin,
  account,
}) => {
  await openPage(page, '/profile?tab=security')
  await see(page, 'This device')
  const elsewhere = await request.newContext({
    baseURL: origin,
    extraHTTPHeaders: { origin },
    userAgent: 'Mozilla/5.0 (Macintosh) Firefox/140.0',
  })
  await expect(await elsewhere.post('/api/login', { data: { username: account.username, password } })).toBeOK()
  await page.reload()
  await expect(page.getByText(/^Firefox/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Sign out Firefox.*, seen / })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await seeToast(page, 'Signed out there')
  expect((await elsewhere.get('/api/keys')).status()).toBe(401)
  await elsewhere.dispose()
  await page.setViewportSize({ width: 390, height: 844 })
  await see(page, /^Session ended/, '127.0.0.1')
})

test('activity: more of it that can’t be loaded is reported, and asked for again', async ({ page }) => {
  const path = '/api/user/audit'
  const entries = Array.from({ length: 11 }, (_, at) => ({
    id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    action: at < 10 ? 'signed-in' : 'account-created',
    subject: null,
    clientAddress: null,
    userAgent: null,
    createdAt: '2026-11-20T12:00:00.000Z',
  }))
  await respond(page, 'GET', path, 200, entries.slice(0, 10))
  await openPage(page, '/profile?tab=security')
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(more).toBeVisible()
  await fail(page, 'GET', path)
  await more.click()
  await seeToast(page, 'Failed to load more activity', failureText)
  await respond(page, 'GET', path, 200, entries.slice(10))
  await more.click()
  await see(page, 'Account created')
})

test('two-factor sign-in with one recovery code left: says so in the singular', async ({ page }) => {
  await respond(page, 'GET', '/api/user/two-factor', 200, { enabled: true, recoveryCodesLeft: 1 })
  await openPage(page, '/profile?tab=security')
  await see(page, '1 recovery code left')
})

test('management key: no area, a message; created, shown once; a script reads with it, but can’t write; deleted, it ends', async ({
  page,
  origin,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('scripter')
  await openPage(page, '/profile?tab=security')
  await page.getByRole('button', { name: 'Create Key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Reports')
  const create = dialog.getByRole('button', { name: 'Create Key' })
  await create.click()
  await see(page, 'Choose at least one area')
  await dialog.getByLabel('Credentials').selectOption('Read')
  await create.click()
  const key = await dialog.getByText(/^sm_\w{38}$/).innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await see(page, 'credentials: read')

  const headers = { authorization: `Bearer ${key}` }
  const read = async () => (await fetch(`${origin}/api/keys`, { headers })).status
  expect(await read()).toBe(200)
  expect((await fetch(`${origin}/api/keys`, { method: 'POST', headers })).status).toBe(403)
  await page.getByRole('button', { name: 'Delete Reports' }).click()
  await page.getByRole('button', { name: 'Delete Key' }).click()
  await seeToast(page, 'Management key deleted')
  expect(await read()).toBe(401)
})

test('photo chosen: shown on the profile and in the sidebar; Remove brings the initials back; other files are rejected', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('pictured')
  await openPage(page, '/profile')
  const pictures = page.locator('img[src]')
  await page.getByLabel('Photo').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: pixel })
  await expect(pictures).toHaveCount(2)
  await page.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(pictures).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Change Photo' })).toBeFocused()
  await page.getByLabel('Photo').setInputFiles({ name: 'me.txt', mimeType: 'text/plain', buffer: pixel })
  await seeToast(page, 'Update failed', 'Choose a PNG, JPEG or WebP picture of at most 2 MB.')
})

test('preferences: theme and timezone; saving applies the theme at once, and is in the activity', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('preferring')
  await openPage(page, '/profile?tab=security')
  await see(page, /^Account created/)
  await page.getByRole('tab', { name: 'Preferences' }).click()
  await expect(page.getByLabel('Timezone').locator('option')).toHaveText([
    'UTC',
    'Eastern Time',
    'Central Time',
    'Mountain Time',
    'Pacific Time',
    'London',
    'Paris',
    'Tokyo',
  ])
  await page.getByLabel('Theme', { exact: true }).selectOption('Dark')
  await page.getByRole('button', { name: 'Save Preferences' }).click()
  await seeToast(page, 'Preferences updated', 'Your preferences have been saved.')
  await expect(page.locator('html')).toHaveClass('dark')
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
  await page.getByRole('tab', { name: 'Security' }).click()
  await see(page, 'Preferences changed')
})

test('preferences edited, another tab chosen: asks; Cancel stays and asks no more, Discard Changes leaves', async ({
  page,
}) => {
  await openPage(page, '/profile?tab=preferences')
  const reports = page.getByRole('switch', { name: 'Usage Reports' })
  await reports.click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await page.getByRole('tab', { name: 'Preferences' }).press('ArrowRight')
  await question.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(question).toBeHidden()
  await expect(page.getByRole('tab', { name: 'Billing' })).toBeFocused()
  await expect(reports).toBeChecked()
  await page.getByRole('tab', { name: 'Billing' }).click()
  await question.getByRole('button', { name: 'Discard Changes' }).click()
  await see(page, 'Usage This Month')
})

test('billing, free: aligned with its title; Upgrade Plan leads to /pricing', async ({ page }) => {
  await openPage(page, '/profile?tab=billing')
  const [title, plan] = ['Current Plan', 'Start with our free plan'].map((text) =>
    page.getByText(text, { exact: true }),
  )
  expect((await plan!.boundingBox())!.x).toBe((await title!.boundingBox())!.x)
  await page.getByRole('link', { name: 'Upgrade Plan' }).click()
  await see(page, 'Simple, Transparent Pricing')
})
