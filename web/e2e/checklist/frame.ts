import { expect } from 'vitest'
import { createAccount } from '../accounts.ts'
import { answer, delay, fail, failureText, see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

const labels = [
  'Dashboard',
  'API Keys',
  'Secure Tokens',
  'API Docs',
  'Proxy Config',
  'Request Logs',
  'Analytics',
  'Pricing',
  'Profile',
]

const unauthorized = {
  type: 'about:blank',
  title: 'Unauthorized',
  status: 401,
  code: 'unauthorized',
  detail: 'Sign in to continue.',
  instance: 'r1',
}

export const frameRows = checklist('Frame', { as: 'newcomer', path: '/api-keys' }, [
  [
    'large screen',
    'nine links in order, the current one marked',
    '§2, Navigation',
    async ({ page }) => {
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
      await links.first().waitFor()
      await settles(() => links.allTextContents(), labels)
      await settles(() => page.locator('[aria-current=page]').allTextContents(), ['API Keys'])
    },
  ],
  ['footer', 'display name and Pro Plan badge for everyone', '§2, §6', ['Ada Lovelace', 'Pro Plan', 'Sign out']],
  [
    'badge hovered',
    'tooltip names the real plan after 700 ms',
    'decisions, §9 Tooltips',
    async ({ page }) => {
      await page.getByRole('link', { name: 'Pro Plan' }).hover()
      await page.getByRole('tooltip').getByText('You are on the Free Plan. Open Billing.').waitFor()
    },
  ],
  [
    'small screen',
    'menu button opens a drawer, a link closes it',
    '§2, Navigation',
    async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Secure Tokens' }).click()
      await page.waitForURL('**/secure-tokens')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  ],
  [
    'theme toggled',
    'class on the root, kept under theme, there again without a flash',
    '§3',
    async ({ page }) => {
      const theme = () => page.evaluate(() => [document.documentElement.className, localStorage.getItem('theme')])
      expect(await theme()).toEqual(['light', null])
      await page.getByRole('button', { name: 'Switch to dark theme' }).click()
      await settles(theme, ['dark', 'dark'])
      await page.reload({ waitUntil: 'commit' })
      await settles(() => page.evaluate(() => document.documentElement.className), 'dark')
    },
  ],
  [
    'theme system',
    'follows the device',
    'decisions, Screens',
    async ({ page }) => {
      await page.evaluate(() => localStorage.setItem('theme', 'system'))
      await page.emulateMedia({ colorScheme: 'dark' })
      await settles(() => page.evaluate(() => document.documentElement.className), 'dark')
    },
  ],
  [
    'unknown path',
    'not-found inside the frame',
    '§2',
    async ({ page }) => {
      await see(page, '404 Page Not Found', 'Did you forget to add the page to the router?')
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
    },
    { path: '/nowhere' },
  ],
  [
    'sign out fails',
    'toast Logout failed',
    '§8',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Sign out' }).click()
      await seeToast(page, 'Logout failed', failureText)
    },
    { before: ({ page }) => fail(page, 'POST', '/api/logout') },
  ],
  [
    'sign out',
    'Signing out..., then /auth with nothing of the session left',
    '§2, §4',
    async ({ page, url }) => {
      const browser = page.context().browser()
      if (!browser) throw new Error('The context has no browser')
      const leaving = await createAccount(browser, url, 'leaving', { keys: [], requests: 0 })
      await page.context().clearCookies()
      await page.context().addCookies(typeof leaving.storageState === 'string' ? [] : leaving.storageState.cookies)
      await delay(page, 'POST', '/api/logout', 500)
      await page.goto(`${url}/api-keys`)
      await page.evaluate(() => localStorage.setItem('sallyport:x:tester-history', '[]'))
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Signing out...' }).waitFor()
      await page.waitForURL('**/auth')
      expect(await page.evaluate(() => localStorage.getItem('sallyport:x:tester-history'))).toBeNull()
    },
  ],
  [
    'session over',
    'toast Unauthorized, after 500 ms /api/login',
    '§4, §8',
    async ({ page }) => {
      const calls = watchCalls(page)
      await page.getByRole('link', { name: 'Secure Tokens' }).waitFor()
      await answer(page, 'GET', '/api/proxy/config', 401, unauthorized, 'application/problem+json')
      await page.getByRole('link', { name: 'Proxy Config' }).click()
      await seeToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
      await settles(() => calls.includes('GET /api/login'), true)
    },
  ],
  [
    'gateway away',
    'banner, and the screen recovers by itself',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'No API keys yet')
      await page.context().setOffline(true)
      await see(page, 'The gateway can’t be reached.')
      await page.getByRole('link', { name: 'Proxy Config' }).click()
      await page.context().setOffline(false)
      await settles(() => page.getByText('Trying again every 3 seconds.').count(), 0)
      await page.getByLabel('Base URL').waitFor()
    },
  ],
  [
    'Ctrl-K',
    'command palette reaches every screen and action',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'No API keys yet')
      await page.keyboard.press('Control+k')
      for (const label of [...labels, 'Add API key', 'Create secure token', 'Test proxy', 'Sign out']) {
        await page.getByRole('option', { name: label, exact: true }).waitFor()
      }
      await page.keyboard.type('create sec')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Create Secure Token' }).waitFor()
    },
  ],
  [
    'toast shown',
    'F8 reaches it, one at a time',
    '§9, Toasts',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Add API Key' }).click()
      await page.getByRole('button', { name: 'Add Key' }).click()
      await page.getByRole('button', { name: 'Add Key' }).click()
      await seeToast(page, 'Validation Error')
      expect(await page.locator('li[data-state=open]').count()).toBe(1)
    },
  ],
])
