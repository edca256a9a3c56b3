import { expect, type Page } from '@playwright/test'
import { expectSearch, expectToFit, openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { fail, hold, respond } from './support/intercept.ts'
import { changesOfACustomer, errorsOfALimit } from './support/reason-samples.ts'
import { thousandChats } from './support/samples.ts'
import { test } from './support/test.ts'

test('opened: Loading analytics data..., then ranges and four tabs; another range asks for at most 1000 logs of it; no errors, says so; top endpoint clicked: the logs behind the bar', async ({
  page,
}) => {
  const release = await hold(page, 'GET', '/api/logs')
  await openPage(page, '/analytics')
  await see(page, 'Loading analytics data...')
  release()
  const ranges = page.getByLabel('Time range').locator('option')
  await expect(ranges).toHaveText(['Last 24h', 'Last 7 days', 'Last 30 days', 'Last 90 days'])
  await expect(page.getByLabel('Time range')).toHaveValue('7d')
  await expect(page.getByRole('tab')).toHaveText(['Usage Trends', 'Performance', 'Error Analysis', 'Cost Breakdown'])
  const calls = watchCalls(page)
  await page.getByLabel('Time range').selectOption('Last 30 days')
  await expect.poll(() => calls).toContain('GET /api/logs?limit=1000&timeRange=30d')
  await expect.poll(() => calls).toContain('GET /api/stats?timeRange=30d')
  await page.getByRole('tab', { name: 'Error Analysis' }).click()
  await see(page, 'No errors in selected time period')
  await page.getByRole('tab', { name: 'Usage Trends' }).click()
  const bar = page.getByText('/v1/chat/completions').filter({ visible: true }).first()
  // The chart's hit-testing layer covers the bars.
  await bar.click({ force: true })
  await see(page, 'Request History', 'Endpoint /v1/chat/completions', 'Last 30 days', '2 requests found')
})

test('with 1000 chats: estimates exact to the digit, errors by status; at 390 px, the tab of a link is shown', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/logs', 200, thousandChats)
  await openPage(page, '/analytics')
  await see(page, '$2.0000', '97.0%')
  await page.getByRole('tab', { name: 'Performance' }).click()
  await see(page, '150 ms', '99.9%', '142.9/day')
  await page.getByRole('tab', { name: 'Cost Breakdown' }).click()
  await see(page, '$1.2000', '$0.6000', '$0.2000', '$8.5714')
  await page.getByRole('tab', { name: 'Error Analysis' }).click()
  await see(page, '429 Rate Limited')
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, '/analytics?tab=cost')
  await expect(page.getByRole('tab', { name: 'Cost Breakdown' })).toBeInViewport({ ratio: 0.9 })
})

test('measured, Previous period pressed: a line for it in each chart and a column in each table, in the address; What changed? pressed: the end of the range; closed, it has the focus again; a link that is none says so', async ({
  page,
}) => {
  await openPage(page, '/analytics?view=measured')
  const calls = watchCalls(page)
  const toggle = page.getByRole('button', { name: 'Previous period' })
  await toggle.click()
  const lines = page.locator('svg text').getByText('Previous', { exact: true })
  await expect(lines).toHaveCount(5)
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  expect(calls.filter((call) => call.startsWith('GET /api/analytics?from='))).toHaveLength(1)
  await expect(page).toHaveURL(/compare=true/)
  await page.getByRole('button', { name: 'Cost as a table' }).click()
  await expect(page.getByRole('columnheader', { name: 'Previous' }).last()).toBeVisible()
  await toggle.click()
  await expect(lines).toHaveCount(0)
  const compare = page.getByRole('button', { name: 'What changed?' })
  await compare.press('Enter')
  await expect(page).toHaveURL(/changed=/)
  await expect(page.getByLabel('Changed from')).toBeVisible()
  await expect(page.getByLabel('Changed until')).toBeVisible()
  await page.getByRole('button', { name: 'Close what changed' }).press('Enter')
  await expect(page).not.toHaveURL(/changed=/)
  await expect(compare).toBeFocused()
  const wrongOrder = 'from=2026-11-20T10:00:00Z&to=2026-11-19T10:00:00Z'
  await openPage(page, `/analytics?view=measured&changed=yesterday&${wrongOrder}`)
  await see(page, 'Part of this link could not be read')
  await expect(page.getByText('changed, from, to: shown with the default instead.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expectSearch(page, { view: 'measured' })
})

test('measured, a chart exported as CSV; a slice clicked, or by keyboard a row of its table, which the address keeps as it does the unit of bars: the logs', async ({
  page,
}) => {
  await openPage(page, '/analytics?view=measured')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export Models' }).click()
  expect((await download).suggestedFilename()).toBe('Models.csv')
  // A click by position would hit the hole in the middle of the ring.
  await page.locator('svg path[role=presentation]').first().dispatchEvent('click')
  await see(page, 'Request History', 'Status 200')
  await expect(page).toHaveURL(/from=/)
  await page.goBack()
  await page.getByRole('button', { name: 'Models as a table' }).click()
  await page.getByRole('button', { name: 'Status codes as a table' }).click()
  await page.getByRole('button', { name: 'Models as a table' }).click()
  const cost = page.getByRole('radiogroup', { name: 'Models by' }).getByRole('radio', { name: 'Cost' })
  await cost.click()
  await expectSearch(page, { view: 'measured', tables: '["Status codes"]', bars: '{"models":"cost"}' })
  await page.reload()
  await expect(cost).toBeChecked()
  await page.getByRole('button', { name: '200', exact: true }).press('Enter')
  await see(page, 'Request History', 'Status 200')
})

/** Drags across the middle of the first chart. */
async function brush(page: Page) {
  const chart = page.locator('svg:has(.visx-area)').first()
  await expect(chart).toBeVisible()
  const { x, y, width, height } = (await chart.boundingBox())!
  const moveTo = (part: number) => page.mouse.move(x + width * part, y + height / 2)
  await moveTo(0.3)
  await page.mouse.down()
  await moveTo(0.4)
  await moveTo(0.6)
  await page.mouse.up()
}

test('measured, dragged over a chart: Zoom in shows the stretch, Zoom out leads back; by keyboard, What changed? ranks what differs, with both shares and a link', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/analytics/changes', 200, changesOfACustomer)
  await openPage(page, '/analytics?view=measured')
  // Opens the browser's own menu, not the logs.
  await page.locator('svg:has(.visx-area)').first().click({ button: 'right' })
  await brush(page)
  await page.getByRole('menuitem', { name: 'Zoom in' }).click()
  await expect(page).toHaveURL(/from=.*to=/)
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await brush(page)
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'What changed?' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/changed=/)
  await page.getByRole('radio', { name: 'Errors' }).click()
  await expect(page).toHaveURL(/errors/)
  await see(page, /Requests before .* are not kept any more/)
  const [first] = await page.getByRole('list', { name: 'What differs most' }).getByRole('listitem').all()
  for (const text of ['Tag customer', '120, expected 6; 96.0% of the change', '80.0%', '12.0%'])
    await expect(first!).toContainText(text)
  await expectToFit(page)
  await first!.getByRole('link', { name: 'acme' }).press('Enter')
  await expect(page).toHaveURL(/request-logs.*customer%3Aacme/)
})

test('measured, errors: by code and pattern, new ones marked, each with its requests', async ({ page }) => {
  await respond(page, 'GET', '/api/analytics/errors', 200, errorsOfALimit)
  await openPage(page, '/analytics?view=measured')
  const row = page.getByRole('row', { name: /rate_limit_exceeded/ })
  await expect(row).toContainText(/Rate limit reached for <…>.{134}…/)
  await expect(row).toContainText('New')
  await expect(row).toContainText('75.0%')
  await see(page, 'Not listed: 1 error of 1 other kind.', /^There are too many different messages/)
  await row.getByRole('link').press('Enter')
  await see(page, 'Request History')
  await expect(page).toHaveURL(/errorCode=rate_limit_exceeded/)
  await expect(page).toHaveURL(/search=Rate/)
})

test('on paper: a report on white with its range, without the frame, no chart cut off, no empty page', async ({
  page,
}) => {
  const inDark = await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await openPage(page, '/analytics?view=measured&range=30d')
  await inDark.dispose()
  await expect(page.locator('html')).toHaveClass('dark')
  await expect(page.locator('svg:has(.visx-area)').first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 703, height: 1_000 })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await see(page, /^Last 30 days · Printed /)
  await expect(page.getByRole('complementary')).toBeHidden()
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0)
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  const ends = await page.locator('svg').evaluateAll((all) => all.map((svg) => svg.getBoundingClientRect().right))
  expect(Math.max(...ends)).toBeLessThanOrEqual(703)
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(6)
})

test('on paper, grouped: its filters, nothing to press, and the table with all measures fits', async ({ page }) => {
  await openPage(page, '/analytics?view=measured&groupBy=tag%3Afeature&method=POST')
  await expect(page.getByRole('table', { name: 'Totals by tag feature' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await see(page, 'POST')
  await expect(page.getByText('Clear all')).toBeHidden()
  await expect(page.getByRole('link', { name: /^Alert on/ }).filter({ visible: true })).toHaveCount(0)
  await page.setViewportSize({ width: 703, height: 1_000 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(703)
})

test('measured, grouped by model: every chart by model; Refresh reads all of it, and if that fails, the numbers stay; one in the table leads to its requests', async ({
  page,
}) => {
  await openPage(page, '/analytics?view=measured')
  await page.getByLabel('Group by').selectOption('Model')
  await expect(page).toHaveURL(/groupBy=model/)
  await expect(page.getByRole('button', { name: 'Previous period' })).toBeHidden()
  const totals = page.getByRole('table', { name: 'Totals by model' })
  await expect(totals.getByRole('row').nth(1)).toBeVisible()
  await see(page, 'Tokens a second', 'Response time, p95', 'By model')
  const calls = watchCalls(page)
  for (const path of ['', '/groups']) await fail(page, 'GET', `/api/analytics${path}`)
  await page.getByRole('button', { name: 'Refresh' }).press('Enter')
  for (const path of ['', '/groups', '/errors'])
    await expect.poll(() => calls.some((call) => call.startsWith(`GET /api/analytics${path}?`))).toBe(true)
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  await seeToast(page, 'Not refreshed')
  await totals.getByRole('row').nth(1).getByRole('link').first().press('Enter')
  await see(page, 'Request History')
  await expect(page).toHaveURL(/model=.*from=|from=.*model=/)
})

test('measured, grouped by error code: the numbers of requests without one, and those of a cost chart, open them', async ({
  page,
}) => {
  await openPage(page, '/analytics?view=measured&groupBy=errorCode')
  const none = page.getByRole('table', { name: 'Totals by error code' }).getByRole('row', { name: /^None/ })
  await none.getByRole('link').first().press('Enter')
  await see(page, 'Request History', 'Error code none', /^[1-9]\d* requests found/)
  await page.goBack()
  await page.getByRole('button', { name: 'Cost as a table' }).press('Enter')
  await page.getByRole('table', { name: 'Cost', exact: true }).getByRole('button').last().press('Enter')
  await see(page, 'Request History', /^[1-9]\d* requests found/)
  await expect(page).toHaveURL(/cost=known/)
})

test('measured, filtered: chips as in Request Logs, kept in the address; the key of a tag: what is none is said at the field, and not asked for', async ({
  page,
}) => {
  const calls = watchCalls(page)
  await openPage(page, '/analytics?view=measured&model=gpt-4o&groupBy=tag%3Afeature')
  await see(page, 'Model gpt-4o')
  await expect.poll(() => calls).toContainEqual(expect.stringMatching(/model=gpt-4o.*groupBy=/))
  await page.getByRole('button', { name: /^Model gpt-4o/ }).press('Enter')
  await expect(page).not.toHaveURL(/model=/)
  await page.getByLabel('Key of the tag').fill('two words')
  await see(page, 'Letters, digits, _, . and - only')
  await page.getByLabel('Key of the tag').fill('customer')
  await expect(page).toHaveURL(/groupBy=tag%3Acustomer/)
  await page.getByLabel('Key of the tag').fill('two words')
  await see(page, 'Letters, digits, _, . and - only')
  await page.goBack()
  await expect(page.getByLabel('Key of the tag')).toHaveValue('feature')
  await page.goForward()
  await expect(page.getByLabel('Key of the tag')).toHaveValue('customer')
  await expect(page.getByText('Letters, digits, _, . and - only')).toBeHidden()
  expect(calls.filter((call) => call.includes('words'))).toEqual([])
})

test('measured, a value chosen in the panel, a search, a total: all lead to the same requests', async ({ page }) => {
  await openPage(page, '/analytics?view=measured')
  await page.getByRole('button', { name: 'Values' }).click()
  await page.getByRole('region', { name: 'Status' }).getByRole('checkbox', { name: '200' }).click()
  await expect(page).toHaveURL(/statusCode=200/)
  await page.getByLabel('Search requests').fill('chat')
  await expect(page).toHaveURL(/search=chat/)
  const total = page.getByRole('region', { name: 'Totals' }).getByRole('link').first()
  const requests = await total.textContent()
  await total.press('Enter')
  await see(page, 'Request History', `${requests} requests found`)
  await expect(page).toHaveURL(/statusCode=200.*search=chat|search=chat.*statusCode=200/)
})

test('link with nonsense: defaults, and says so', async ({ page }) => {
  await openPage(page, '/analytics?view=guessed&range=forever&groupBy=colour')
  await see(page, /^view, range, groupBy: shown with the default instead/, 'Estimated Cost')
})

test.describe('of a new account', () => {
  test.use({ visitor: 'newcomer' })

  test('without requests: what is not known is no number, and each chart of Measured says why it is empty', async ({
    page,
  }) => {
    await openPage(page, '/analytics?tab=performance')
    await expect(page.getByRole('definition').filter({ hasText: /^–$/ })).toHaveCount(4)
    await page.getByText('Measured', { exact: true }).click()
    await see(page, /^No requests between /)
    await expect(page.getByRole('region', { name: 'Totals' }).getByText('–', { exact: true })).toHaveCount(4)
  })
})

test('measured, a view saved: opened from the menu and by its link', async ({ page, signInAsNewAccount }) => {
  await signInAsNewAccount('analyst')
  await openPage(page, '/analytics?view=measured&range=30d&compare=true')
  const menu = page.getByRole('button', { name: 'Saved views' })
  await menu.click()
  await page.getByLabel('Name of the current view').fill('Monthly')
  await page.keyboard.press('Enter')
  await seeToast(page, 'View saved', 'Monthly')
  const [view] = await (await page.request.get('/api/views')).json()
  await openPage(page, `/analytics?saved=${view.id}`)
  await expectSearch(page, { view: 'measured', range: '30d', compare: 'true' })
  await page.getByLabel('Time range').selectOption('Last 24h')
  await menu.click()
  await page.getByRole('button', { name: 'Monthly', exact: true }).click()
  await expectSearch(page, { view: 'measured', range: '30d', compare: 'true' })
})
