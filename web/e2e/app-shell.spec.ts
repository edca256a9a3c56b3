import { expect, type Locator } from '@playwright/test'
import { escapeFrom, openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { fail, failureText, hold, holdFrames, holdTimers, respond, respondWithProblem } from './support/intercept.ts'
import { newContext, test } from './support/test.ts'

const labels = [
  'Dashboard',
  'API Keys',
  'Secure Tokens',
  'API Docs',
  'Proxy Config',
  'Request Logs',
  'Analytics',
  'Alerts',
  'Pricing',
  'Profile',
]

test.use({ visitor: 'newcomer' })

test('large screen: ten links in order, the current one marked, also beside an unknown path; Tab pressed first: skip link; Ctrl-K: the command palette reaches every screen and action', async ({
  page,
}) => {
  await openPage(page, '/nowhere')
  await see(page, '404 Page Not Found', 'Did you forget to add the page to the router?')
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText(labels)
  await openPage(page, '/api-keys')
  await expect(page.locator('[aria-current=page]')).toHaveText(['API Keys'])
  await see(page, 'No API keys yet')
  await page.keyboard.press('Tab')
  await expect(page.getByText('Skip to content')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await page.keyboard.press('Control+k')
  for (const label of [...labels, 'Add API key', 'Create secure token', 'Test proxy', 'Sign out']) {
    await expect(page.getByRole('option', { name: label, exact: true })).toBeVisible()
  }
  await page.keyboard.type('create sec')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Create Secure Token' })).toBeVisible()
})

test('footer: name and Pro Plan badge for everyone; hovered or reached by keyboard, a tooltip names the real plan', async ({
  page,
}) => {
  await openPage(page, '/api-keys')
  await see(page, 'Ada Lovelace', 'Pro Plan', 'Sign out')
  const link = page.getByRole('link', { name: 'Pro Plan' })
  const tooltip = page.getByRole('tooltip', { name: 'You are on the Free Plan. Open Billing.' })
  await link.hover()
  await expect(tooltip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
  await page.mouse.move(700, 500)
  await link.hover()
  await expect(tooltip).toBeVisible()
  await page.mouse.move(700, 500)
  await expect(tooltip).toBeHidden()
  await page.getByRole('button', { name: 'Switch to dark theme' }).focus()
  await page.keyboard.press('Shift+Tab')
  await expect(tooltip).toBeVisible()
  await expect(link).toBeFocused()
  await expect(link).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
})

test('small screen: drawer and palette closed by Escape, focus is where it was; a link closes the drawer', async ({
  page,
}) => {
  await openPage(page, '/api-keys')
  const menu = page.getByRole('button', { name: 'Open menu' })
  await page.setViewportSize({ width: 390, height: 844 })
  for (const keys of ['Enter', 'Control+k']) {
    await menu.focus()
    await page.keyboard.press(keys)
    await escapeFrom(page.getByRole('dialog'))
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(menu).toBeFocused()
  }
  await menu.click()
  await page.getByRole('dialog').getByRole('link', { name: 'Secure Tokens' }).click()
  await expect(page).toHaveURL('/secure-tokens')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a link is marked before its screen is drawn', async ({ page }) => {
  await openPage(page, '/api-keys')
  await see(page, 'No API keys yet')
  const drawFrames = await holdFrames(page)
  await page.getByRole('link', { name: 'Secure Tokens' }).press('Enter')
  await expect(page.locator('[aria-current=page]')).toHaveText(['Secure Tokens'])
  await see(page, 'No API keys yet')
  await drawFrames()
  await see(page, 'No secure tokens yet')
})

test('Back closes the palette and a dialog, and only then leaves the screen', async ({ page }) => {
  await openPage(page, '/request-logs')
  await page.getByRole('link', { name: 'API Keys' }).click()
  await see(page, 'No API keys yet')
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('Control+k')
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Add API Key' }).first().click()
  await expect(page).toHaveURL('/api-keys?dialog=add')
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/api-keys')
  await page.goBack()
  await expect(page).toHaveURL('/request-logs')
})

test('less motion asked for: nothing moves; else a dialog takes 140 ms', async ({ page }) => {
  await openPage(page, '/api-keys?dialog=add')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveCSS('animation-duration', '0s')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect(dialog).toHaveCSS('animation-duration', '0.14s')
})

const styleOf = (found: Locator) =>
  found.first().evaluate((element) => {
    const { borderTopColor, backgroundColor, color } = getComputedStyle(element)
    return { edge: borderTopColor, fill: backgroundColor, text: color }
  })

test('the user’s own colours: buttons have an edge, switches keep their fill; more contrast: stronger texts and edges', async ({
  page,
}) => {
  await openPage(page, '/proxy-config')
  await expect(page.getByRole('switch').first()).toBeVisible()
  const colours = async () => ({
    edge: (await styleOf(page.locator('main button[type=submit]'))).edge,
    fill: (await styleOf(page.locator('[role=switch] > span'))).fill,
    text: (await styleOf(page.locator('main header p'))).text,
  })
  const usual = await colours()
  await page.emulateMedia({ forcedColors: 'active' })
  const forced = await colours()
  expect(usual.edge).toBe('rgba(0, 0, 0, 0)')
  expect(forced.edge).not.toBe('rgba(0, 0, 0, 0)')
  expect(forced.fill).toBe(usual.fill)
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' })
  expect((await colours()).text).not.toBe(usual.text)
})

test('theme toggled: class on the root, kept under theme, there again without a flash; system follows the device', async ({
  page,
}) => {
  await openPage(page, '/api-keys')
  const theme = () => page.evaluate(() => [document.documentElement.className, localStorage.getItem('theme')])
  await expect.poll(theme).toEqual(['light', null])
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect.poll(theme).toEqual(['dark', 'dark'])
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveClass('dark')
  // Simulates another tab. Each change waits for the previous one, because browsers don't report a change that is
  // undone at once.
  await page.evaluate(() => {
    localStorage.setItem('theme', 'system')
    window.dispatchEvent(new StorageEvent('storage'))
  })
  for (const colorScheme of ['light', 'dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveClass(colorScheme)
  }
})

test('sign out fails: toast Logout failed, one at a time; F8 reaches it', async ({ page }) => {
  await fail(page, 'POST', '/api/logout')
  await openPage(page, '/api-keys')
  const signOut = page.getByRole('button', { name: 'Sign out' })
  await signOut.click()
  await seeToast(page, 'Logout failed', failureText)
  await respond(page, 'POST', '/api/logout', 503, '')
  await signOut.click()
  await seeToast(page, 'Logout failed', '503: Service Unavailable')
  await expect(page.locator('li[data-state=open]')).toHaveCount(1)
  await page.keyboard.press('F8')
  await expect(page.locator(':focus').getByText('Logout failed')).toBeVisible()
})

test('sign out: Signing out..., then /auth with nothing of the session left', async ({ page, signInAsNewAccount }) => {
  await signInAsNewAccount('leaving')
  const release = await hold(page, 'POST', '/api/logout')
  await openPage(page, '/api-keys')
  await page.evaluate(() => localStorage.setItem('sallyport:x:tester-history', '[]'))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Signing out...' })).toBeVisible()
  release()
  await expect(page).toHaveURL('/auth')
  expect(await page.evaluate(() => localStorage.getItem('sallyport:x:tester-history'))).toBeNull()
})

test('session over: toast Unauthorized, after 500 ms /api/login, once for all calls, and from there the sign-in', async ({
  page,
}) => {
  await openPage(page, '/')
  const calls = watchCalls(page)
  const rejected = new Set<string>()
  page.on('response', (response) => response.status() === 401 && rejected.add(new URL(response.url()).pathname))
  await see(page, 'Recent Request Logs')
  const timers = await holdTimers(page, 500)
  await page.context().clearCookies()
  await seeToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
  await expect.poll(() => [...rejected].toSorted()).toEqual(['/api/logs', '/api/stats'])
  expect(await timers.count()).toBe(1)
  await page.getByRole('link', { name: 'Proxy Config' }).click()
  await expect.poll(() => rejected.has('/api/proxy/config')).toEqual(true)
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toBeVisible()
  expect(calls).not.toContain('GET /api/login')
  await timers.fire()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  expect(calls).toContain('GET /api/login')
})

test('401 for the tokens or for the logs of Analytics: as if there were none, the screen stays', async ({ page }) => {
  await respondWithProblem(page, 'GET', '/api/tokens', 'unauthorized')
  await openPage(page, '/secure-tokens')
  const timers = await holdTimers(page, 500)
  await see(page, 'No secure tokens yet')
  await respondWithProblem(page, 'GET', '/api/logs', 'unauthorized')
  const rejected = page.waitForResponse((response) => response.url().includes('/api/logs?limit=1000'))
  await page.getByRole('link', { name: 'Analytics' }).click()
  await rejected
  await see(page, 'Loading analytics data...')
  await page.getByRole('radio', { name: 'Measured' }).click()
  await see(page, 'Measured over every request.')
  expect(await timers.count()).toBe(0)
})

test('a browser that blocks what sites store: the screens are there', newContext, async ({ page }) => {
  await page.addInitScript(() => {
    const error = new DOMException('The operation is insecure.', 'SecurityError')
    function block() {
      throw error
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: block })
    Object.assign(window, { BroadcastChannel: block })
  })
  await openPage(page, '/')
  await see(page, 'API Request Tester')
  await expect(page.getByRole('button', { name: 'Send Request' }).first()).toBeVisible()
})
