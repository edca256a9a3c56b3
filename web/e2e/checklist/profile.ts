import { Secret, TOTP } from 'otpauth'
import { request } from 'playwright-core'
import { expect } from 'vitest'
import { becomeSomebodyNew, password } from '../accounts.ts'
import { see, seeToast, settles } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

const at = (tab: string) => ({ path: `/profile?tab=${tab}` })

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const profileRows = checklist('Profile', { as: 'regular', path: '/profile' }, [
  [
    'opened',
    'name, email, plan, photo, four tabs, fields read-only',
    '§2',
    async ({ page }) => {
      await see(page, 'Free Plan', 'Change Photo', 'Personal Information')
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
      await settles(() => page.getByRole('tab').allTextContents(), ['Profile', 'Security', 'Preferences', 'Billing'])
      expect(await page.getByLabel('First Name').getAttribute('readonly')).not.toBeNull()
    },
  ],
  [
    'Edit, emptied, saved',
    'messages at the fields',
    '§5',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('First Name').fill('')
      await page.getByLabel('Last Name').fill('')
      await page.getByLabel('Username').fill('ab')
      await page.getByLabel('Email Address').fill('nobody')
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await see(page, 'First name is required', 'Last name is required', 'Invalid email address')
      await see(page, 'Username must be at least 3 characters')
      await page.getByRole('button', { name: 'Cancel' }).first().click()
      await settles(() => page.getByLabel('First Name').inputValue(), 'Ada')
    },
  ],
  [
    'password, empty',
    'messages at the fields',
    '§5',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Update Password' }).click()
      await see(page, 'Current password is required', 'Password must be at least 8 characters')
      await see(page, 'Please confirm your password')
    },
    at('security'),
  ],
  [
    'password, different',
    'live hint, then the message',
    '§2, §5',
    async ({ page }) => {
      await page.getByLabel('Current Password').fill('something')
      await page.getByLabel('New Password').fill('long enough')
      await page.getByLabel('Confirm Password').fill('long')
      await see(page, 'Passwords do not match')
      await page.getByRole('button', { name: 'Update Password' }).click()
      await see(page, "Passwords don't match")
    },
    at('security'),
  ],
  [
    'wrong password',
    'toast Password change failed',
    '§8',
    async ({ page }) => {
      await page.getByLabel('Current Password').fill('not it at all')
      await page.getByLabel('New Password').fill('long enough 1')
      await page.getByLabel('Confirm Password').fill('long enough 1')
      await page.getByRole('button', { name: 'Update Password' }).click()
      await seeToast(page, 'Password change failed')
    },
    at('security'),
  ],
  [
    'Delete Account pressed',
    'asks first',
    '§2',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Delete Account' }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })
      await dialog.getByText(/API keys, secure tokens, request logs and subscription information/).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    },
    at('security'),
  ],
  [
    'security',
    'two-factor, sessions, activity',
    'decisions',
    ['Two-Factor Sign-In', 'Sessions', 'This device', 'Activity'],
    at('security'),
  ],
  [
    'two-factor set up',
    'password, code of the app, recovery codes; then it is on, and stands in the activity',
    'decisions',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Set up' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
      const secret = Secret.fromBase32((await dialog.locator('code').textContent()) ?? '')
      await dialog.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
      await page.keyboard.press('Enter')
      await settles(() => dialog.getByRole('listitem').count(), 10)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await see(page, 'On', '10 recovery codes left')
    },
    { ...at('security'), before: ({ page, url }) => becomeSomebodyNew(page, url, 'careful') },
  ],
  [
    'signed in elsewhere too',
    'named, and signed out there',
    'decisions',
    async ({ page, url, account }) => {
      await see(page, 'This device')
      const elsewhere = await request.newContext({ userAgent: 'Mozilla/5.0 (Macintosh) Firefox/140.0' })
      const data = { username: account?.username, password }
      const login = await elsewhere.post(`${url}/api/login`, { data, headers: { origin: url } })
      expect(login.ok()).toBe(true)
      await page.reload()
      await page.getByText(/^Firefox/).waitFor()
      await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
      await seeToast(page, 'Signed out there')
      expect((await elsewhere.get(`${url}/api/keys`)).status()).toBe(401)
      await elsewhere.dispose()
    },
    at('security'),
  ],
  [
    'photo chosen',
    'shown on the profile and in the sidebar; Remove brings the initials back; what is no picture is refused',
    'decisions',
    async ({ page }) => {
      const pictures = () => page.locator('img[src]').count()
      await page.getByLabel('Photo').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: pixel })
      await settles(pictures, 2)
      await page.getByRole('button', { name: 'Remove' }).click()
      await settles(pictures, 0)
      await page.getByLabel('Photo').setInputFiles({ name: 'me.txt', mimeType: 'text/plain', buffer: pixel })
      await seeToast(page, 'Update failed', 'Choose a PNG, JPEG or WebP picture of at most 2 MB.')
    },
    { before: ({ page, url }) => becomeSomebodyNew(page, url, 'pictured') },
  ],
  [
    'preferences',
    'switches, theme and timezone; saving applies the theme at once',
    '§2, decisions',
    async ({ page }) => {
      await see(page, 'Email Notifications', 'Security Alerts', 'Usage Reports')
      const zones = await page.getByLabel('Timezone').locator('option').allTextContents()
      expect(zones).toEqual([
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
      expect(await page.evaluate(() => [document.documentElement.className, localStorage.getItem('theme')])).toEqual([
        'dark',
        'dark',
      ])
    },
    at('preferences'),
  ],
  [
    'billing, free',
    'plan, real usage, Upgrade Plan leads to /pricing',
    '§2, decisions',
    async ({ page }) => {
      await see(page, 'Current Plan', 'Start with our free plan', 'Usage This Month')
      await page
        .getByText(/^\d+ of [\d,]+ API requests$/)
        .first()
        .waitFor()
      await page
        .getByText(/^[\d,]+ remaining$/)
        .first()
        .waitFor()
      await page.getByRole('link', { name: 'Upgrade Plan' }).click()
      await see(page, 'Simple, Transparent Pricing')
    },
    at('billing'),
  ],
])
