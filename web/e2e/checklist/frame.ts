import { expect } from 'vitest'
import { becomeSomebodyNew } from '../accounts.ts'
import { fail, failureText, hold, holdTimers, see, seeToast, settles, watchCalls } from '../assertions.ts'
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
    'badge reached by keyboard',
    'tooltip at once, Escape takes it away',
    '§9 Tooltips, decisions, Screens',
    async ({ page }) => {
      const link = page.getByRole('link', { name: 'Pro Plan' })
      await link.waitFor()
      await page.getByRole('button', { name: 'Switch to dark theme' }).focus()
      await page.keyboard.press('Shift+Tab')
      const tooltip = page.getByRole('tooltip', { name: 'You are on the Free Plan. Open Billing.' })
      await tooltip.waitFor()
      expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe('solid')
      await page.keyboard.press('Escape')
      await tooltip.waitFor({ state: 'hidden' })
    },
  ],
  [
    'Tab pressed first',
    'skip link leads past the sidebar',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'No API keys yet')
      await page.keyboard.press('Tab')
      await settles(() => page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
      await page.keyboard.press('Enter')
      await settles(() => page.evaluate(() => document.activeElement?.id), 'main')
    },
  ],
  [
    'drawer and palette closed by Escape',
    'focus is where it was',
    'decisions, Screens',
    async ({ page }) => {
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
      await page.setViewportSize({ width: 390, height: 844 })
      for (const keys of ['Enter', 'Control+k']) {
        await page.getByRole('button', { name: 'Open menu' }).focus()
        await page.keyboard.press(keys)
        await page.getByRole('dialog').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await settles(focused, 'Open menu')
      }
    },
  ],
  [
    'less motion asked for',
    'nothing moves; else a dialog takes 140 ms',
    'design',
    async ({ page }) => {
      const dialog = page.getByRole('dialog')
      const motion = () => dialog.evaluate((element) => getComputedStyle(element).animationDuration)
      await dialog.waitFor()
      await settles(motion, '0s')
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await settles(motion, '0.14s')
    },
    { path: '/api-keys?dialog=add' },
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
      await becomeSomebodyNew(page, url, 'leaving')
      const letGo = await hold(page, 'POST', '/api/logout')
      await page.goto(`${url}/api-keys`)
      await page.evaluate(() => localStorage.setItem('sallyport:x:tester-history', '[]'))
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Signing out...' }).waitFor()
      letGo()
      await page.waitForURL('**/auth')
      expect(await page.evaluate(() => localStorage.getItem('sallyport:x:tester-history'))).toBeNull()
    },
  ],
  [
    'session over',
    'toast Unauthorized, after 500 ms /api/login, once for all calls, and from there the sign-in',
    '§4, §8',
    async ({ page }) => {
      const calls = watchCalls(page)
      const refused = new Set<string>()
      page.on('response', (response) => response.status() === 401 && refused.add(new URL(response.url()).pathname))
      await see(page, 'Recent Request Logs')
      const timers = await holdTimers(page, 500)
      await page.context().clearCookies()
      await seeToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
      await settles(() => [...refused].toSorted(), ['/api/logs', '/api/stats'])
      expect(await timers.count()).toBe(1)
      await page.getByRole('link', { name: 'Proxy Config' }).click()
      await settles(() => refused.has('/api/proxy/config'), true)
      await page.getByRole('main').locator('[aria-busy=true]').waitFor()
      expect(calls).not.toContain('GET /api/login')
      await timers.letGo()
      await page.waitForURL('**/auth')
      await page.getByRole('button', { name: 'Login' }).waitFor()
      expect(calls).toContain('GET /api/login')
    },
    { path: '/' },
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
      const signOut = page.getByRole('button', { name: 'Sign out' })
      await signOut.click()
      await seeToast(page, 'Logout failed')
      await signOut.click()
      await seeToast(page, 'Logout failed')
      expect(await page.locator('li[data-state=open]').count()).toBe(1)
      await page.keyboard.press('F8')
      await settles(() => page.locator(':focus').getByText('Logout failed').count(), 1)
    },
    { before: ({ page }) => fail(page, 'POST', '/api/logout') },
  ],
])
