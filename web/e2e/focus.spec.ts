import { expect, type Locator, type Page } from '@playwright/test'
import { escapeFrom, openPage, see } from './support/assertions.ts'
import { hold, respond } from './support/intercept.ts'
import { fourLogs, tokensOfEveryState } from './support/samples.ts'
import { newContext, test } from './support/test.ts'

/** Presses a control and expects it to keep the focus during its call and afterwards. */
async function expectToKeepFocus(page: Page, control: Locator, method: string, path: string) {
  const release = await hold(page, method, path)
  await control.press('Enter')
  await expect(control).toBeDisabled()
  await expect(control).toBeFocused()
  release()
  await expect(control).toBeEnabled()
  await expect(control).toBeFocused()
}

test('a pressed control keeps the focus while its call is under way', async ({ page }) => {
  await openPage(page, '/')
  await expectToKeepFocus(page, page.getByRole('button', { name: /^Test/ }), 'POST', '/api/proxy/test')
  await openPage(page, '/secure-tokens')
  const toggle = page.getByRole('switch', { name: 'Backend is active' })
  const { id } = (await (await page.request.get('/api/tokens')).json())[0]
  await expectToKeepFocus(page, toggle, 'PUT', `/api/tokens/${id}/toggle`)
  await toggle.press('Enter')
  await expect(toggle).toBeChecked()
  await openPage(page, '/request-logs')
  await see(page, '2 requests found')
  await expectToKeepFocus(page, page.getByRole('button', { name: 'Refresh' }), 'GET', '/api/logs')
})

test('what goes passes the focus on: filters to the next one, a link to the new screen', async ({ page }) => {
  await openPage(page, '/request-logs?model=gpt-4o&endpoint=/v1/chat/completions')
  await page.getByRole('button', { name: /^Model gpt-4o/ }).press('Enter')
  const endpoint = page.getByRole('button', { name: /^Endpoint/ })
  await expect(endpoint).toBeFocused()
  await endpoint.press('Enter')
  await expect(page.getByRole('button', { name: 'More filters' })).toBeFocused()
  const entry = {
    action: 'signed-in',
    subject: null,
    clientAddress: null,
    userAgent: null,
    createdAt: '2026-11-26T08:00:00Z',
  }
  const entries = Array.from({ length: 10 }, (_, at) => ({ ...entry, id: `0199a000-0000-7000-8000-00000000000${at}` }))
  await respond(page, 'GET', '/api/user/audit', 200, entries)
  await openPage(page, '/profile?tab=security')
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(more).toBeVisible()
  await respond(page, 'GET', '/api/user/audit', 200, [])
  await more.press('Enter')
  await expect(page.locator(':focus')).toContainText('Signed in')
  await respond(page, 'POST', '/api/proxy/test', 200, { success: false, message: 'Not reached. '.repeat(60) })
  await openPage(page, '/')
  await page.getByRole('button', { name: /^Test/ }).press('Enter')
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await expect(page.locator('li:focus')).toContainText('Not reached.')
  await page.getByRole('link', { name: 'Manage' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'API Keys', level: 1 })).toBeVisible()
  await expect(page.locator('#main')).toBeFocused()
})

test('Back closes details, on the Dashboard too, and a menu; details that were closed leave no step behind', async ({
  page,
}) => {
  const details = page.getByRole('dialog', { name: 'Request Details' })
  await openPage(page, '/api-keys')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'View details' }).first().press('Enter')
  await expect(details).toBeVisible()
  await page.goBack()
  await expect(details).toBeHidden()
  await see(page, 'Dashboard')
  await page.getByRole('link', { name: 'Request Logs' }).click()
  const row = page.locator('tr[data-index="1"]')
  await row.press('Enter')
  await escapeFrom(details)
  await expect(row).toBeFocused()
  await row.press('Enter')
  await expect(details).toBeVisible()
  await page.goBack()
  await expect(details).toBeHidden()
  await expect(page).toHaveURL('/request-logs')
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page).toHaveURL('/request-logs')
  await page.goBack()
  await expect(page).toHaveURL('/')
})

test(
  'details of a log that a refresh takes from the list: closed, they leave the focus in the list',
  newContext,
  async ({ page }) => {
    await page.clock.install()
    for (const width of [1440, 1100]) {
      await page.setViewportSize({ width, height: 900 })
      await openPage(page, '/request-logs')
      await see(page, '2 requests found')
      const toggle = page.getByRole('switch', { name: 'Auto-refresh' })
      await toggle.setChecked(true)
      await page.locator('tr[data-index="1"]').press('Enter')
      const details = page.getByRole('dialog', { name: 'Request Details' })
      await expect(details).toBeVisible()
      await respond(page, 'GET', '/api/logs', 200, fourLogs)
      await page.clock.runFor(10_000)
      await expect(page.locator('tr[data-index="3"]')).toBeVisible()
      await escapeFrom(details)
      await expect(page.locator('tr[tabindex="0"]')).toBeFocused()
      await page.unrouteAll()
    }
  },
)

test('a toast that is dismissed, by keyboard or mouse, gives the focus back', async ({ page }) => {
  await respond(page, 'POST', '/api/proxy/test', 200, { success: false, message: 'Not reached.' })
  await openPage(page, '/')
  const endpoint = page.getByLabel('Endpoint')
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  /** As if another window had the focus for a while. */
  const returnAndPress = async () => {
    await dismiss.focus()
    await dismiss.blur()
    await dismiss.press('Enter')
  }
  for (const press of [() => dismiss.press('Enter'), () => dismiss.click(), returnAndPress]) {
    await page.getByRole('button', { name: /^Test/ }).click()
    await expect(dismiss).toBeVisible()
    await endpoint.focus()
    await press()
    await expect(dismiss).toBeHidden()
    await expect(endpoint).toBeFocused()
  }
})

const ink = (control: Locator) => control.evaluate((element) => getComputedStyle(element).color)
const expectToStandOut = async (chosen: Locator, other: Locator) => expect(await ink(chosen)).not.toBe(await ink(other))

test('where the user’s own colours replace all fills, what is chosen stands out', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, '/analytics?view=measured')
  await expectToStandOut(page.getByRole('radio', { name: 'Measured' }), page.getByRole('radio', { name: 'Estimated' }))
  await expectToStandOut(page.getByRole('link', { name: 'Analytics' }), page.getByRole('link', { name: 'Pricing' }))
  await openPage(page, '/request-logs')
  await page.getByRole('button', { name: 'Export', exact: true }).press('ArrowDown')
  const [first, second] = [page.getByRole('menuitem').first(), page.getByRole('menuitem').nth(1)]
  await expect(first).toBeFocused()
  await expectToStandOut(first, second)
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveClass('dark')
})

test('at 390 px: Tab follows what one sees, and never leads under the bar', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, '/analytics?view=measured')
  await page.getByRole('button', { name: 'Refresh' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'Measured' })).toBeFocused()
  await openPage(page, '/proxy-config')
  await page.getByRole('switch', { name: 'Log tags' }).focus()
  const bar = (await page.getByRole('banner').first().boundingBox())!
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Shift+Tab')
    expect((await page.locator(':focus').boundingBox())!.y).toBeGreaterThanOrEqual(bar.height)
  }
})

test('logging of bodies ended on an expired token: its toggle is disabled, so the next control has the focus', async ({
  page,
}) => {
  const expired = tokensOfEveryState[3]!
  const logged = { ...expired, logBodiesUntil: '2099-12-31T23:59:59.999Z' }
  await respond(page, 'GET', '/api/tokens', 200, [logged])
  await respond(page, 'POST', `/api/tokens/${expired.id}/log-bodies`, 200, expired)
  await openPage(page, '/secure-tokens')
  const end = page.getByRole('button', { name: 'End Now: logged bodies of Gone' })
  await expect(end).toBeVisible()
  await respond(page, 'GET', '/api/tokens', 200, [expired])
  await end.press('Enter')
  await expect(page.getByRole('button', { name: 'Edit Gone' })).toBeFocused()
})
