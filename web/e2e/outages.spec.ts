import { expect } from '@playwright/test'
import { openPage, see, seeToast } from './support/assertions.ts'
import { demandPassword, hold } from './support/intercept.ts'
import { newContext, test } from './support/test.ts'

test.use({ visitor: 'newcomer' })

test('gateway away: a banner, the document stays, and the screen recovers by itself', newContext, async ({ page }) => {
  await openPage(page, '/api-keys')
  await see(page, 'No API keys yet')
  let documents = 0
  page.on('domcontentloaded', () => (documents += 1))
  await page.context().setOffline(true)
  await see(page, 'The gateway can’t be reached.')
  await page.keyboard.press('Control+k')
  await seeToast(page, 'This could not be opened', 'Check the connection and try again.')
  await page.getByRole('link', { name: 'Proxy Config' }).click()
  await see(page, 'This page failed', 'Trying again every 3 seconds.')
  expect(documents).toBe(0)
  await page.context().setOffline(false)
  await expect(page.getByLabel('Base URL')).toBeVisible()
  expect(documents).toBe(1)
})

test('a script that is gone, although the gateway responds: the screen is loaded with another document', async ({
  page,
}) => {
  await openPage(page, '/api-keys')
  await see(page, 'No API keys yet')
  const scripts = /\/assets\/proxy-config-.*\.js$/
  await page.route(scripts, (route) => route.fulfill({ status: 404 }))
  page.once('domcontentloaded', () => page.unroute(scripts))
  await page.getByRole('link', { name: 'Proxy Config' }).click()
  await expect(page.getByLabel('Base URL')).toBeVisible()
})

test(
  'a gateway that does not respond: after 10 seconds the screen says so, until it does',
  newContext,
  async ({ page }) => {
    await page.clock.install()
    await openPage(page, '/api-keys')
    const release = await hold(page, 'GET', '/api/tokens')
    const opened = await page.evaluate(() => Date.now())
    const called = page.waitForRequest((request) => request.url().endsWith('/api/tokens'))
    await page.getByRole('link', { name: 'Secure Tokens' }).click()
    await called
    // Stopped, because a busy machine may need a second from here to the next line.
    await page.clock.pauseAt(opened + 9_000)
    const banner = page.getByText('The gateway has not responded for 10 seconds.')
    await expect(banner).toBeHidden()
    await page.clock.runFor(10_000)
    await expect(banner).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
    await page.clock.resume()
    release()
    await see(page, 'No secure tokens yet')
    await expect(banner).toBeHidden()
  },
)

test('a part of a screen that loads slowly: the screen stays, and so does the focus', newContext, async ({ page }) => {
  await page.clock.install()
  await openPage(page, '/analytics')
  await see(page, 'Estimated Cost')
  const charts = /\/assets\/measured-view-.*\.js$/
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(charts, async (route) => {
    await released
    await route.continue()
  })
  const measured = page.getByRole('radio', { name: 'Measured' })
  const requested = page.waitForRequest(charts)
  await measured.press('Enter')
  await requested
  await page.clock.runFor(5_000)
  await see(page, 'Estimated Cost')
  await expect(measured).toBeFocused()
  release()
  await expect(page.getByRole('region', { name: 'Totals' })).toBeVisible()
  await expect(measured).toBeFocused()
})

test(
  'dialogs whose script is gone, as after an upgrade: the screen stays, with what was typed',
  newContext,
  async ({ page }) => {
    await openPage(page, '/proxy-config')
    const timeout = page.getByLabel('Timeout (ms)')
    // Before the edit: Chromium may send a request unseen that follows at once.
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
    await timeout.fill('7777')
    await demandPassword(page, 'POST', '/api/proxy/config')
    const saying = 'The gateway may have been upgraded. Save or copy what you have typed, then reload the page.'
    for (const open of [
      () => page.keyboard.press('Control+k'),
      () => page.getByRole('link', { name: 'Secure Tokens' }).click(),
      () => page.getByRole('button', { name: 'Save Changes' }).click(),
    ]) {
      await open()
      await seeToast(page, 'This could not be opened', saying)
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await expect(timeout).toHaveValue('7777')
    }
    await expect(page.getByRole('button', { name: 'Save Changes' })).toBeEnabled()
  },
)

test('the script of the editors is gone: plain fields take their place', newContext, async ({ page }) => {
  await page.route('**/assets/json-editor-view-*.js', (route) => route.fulfill({ status: 404 }))
  await openPage(page, '/')
  await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{')
  await expect(page.getByText(/^Not valid JSON/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Headers' })).toHaveValue(/Content-Type/)
})

test('the script of the toasts is gone: the page says so, and loads again', newContext, async ({ page }) => {
  const script = '**/assets/toaster-*.js'
  await page.route(script, (route) => route.fulfill({ status: 404 }))
  await openPage(page, '/api-keys')
  await see(page, 'This page failed')
  await page.unroute(script)
  await see(page, 'No API keys yet')
})

test(
  'a server in front of the gateway sends calls to its own sign-in: the user is told to reload',
  newContext,
  async ({ page }) => {
    await openPage(page, '/api-keys')
    await see(page, 'No API keys yet')
    const away = { status: 302, headers: { location: 'https://sign-in.example/' } }
    await page.route(/\/api\/|favicon/, (route) => route.fulfill(away))
    await page.getByRole('link', { name: 'Secure Tokens' }).click()
    await see(page, 'The secure tokens could not be loaded', /^A server in front .* Reload this page\.$/)
    await expect(page.getByText('The gateway can’t be reached.')).toBeHidden()
  },
)
