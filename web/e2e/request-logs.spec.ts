import { expect } from '@playwright/test'
import {
  enlargeFont,
  escapeFrom,
  expectClipboard,
  expectNoOverlap,
  expectSearch,
  openPage,
  see,
  seeToast,
  watchCalls,
} from './support/assertions.ts'
import { holdFrames, respond } from './support/intercept.ts'
import { logSummary } from './support/samples.ts'
import { newContext, test } from './support/test.ts'

test('with logs: filters, Request History, paging, a row with its buttons; asks for 20 logs; details opened: four tabs, N/A and where to switch bodies on; Copy as cURL: in the clipboard; on paper all parts', async ({
  page,
}) => {
  await openPage(page, '/request-logs')
  await see(page, 'Request Logs', 'Request History', '2 requests found', 'Showing 1-2 of 2')
  await see(page, /^Complete up to (.+, )?\d\d:\d\d:\d\d$/)
  const options = (name: string) => page.getByRole('combobox', { name, exact: true }).locator('option')
  await expect(options('Status')).toHaveText(['All Status', 'Success (2xx)', 'Error (4xx/5xx)', 'Failed'])
  await expect(options('Method')).toHaveText(['All Methods', 'GET', 'POST', 'PUT', 'DELETE'])
  const row = page.getByRole('row').filter({ hasText: '/v1/chat/completions' }).first()
  await expect(row).toHaveText(/200.*POST.*\d ms/)
  const download = page.waitForEvent('download')
  await row.getByRole('button', { name: 'Download as JSON' }).click()
  expect((await download).suggestedFilename()).toMatch(/^request-.*\.json$/)
  const calls = watchCalls(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => calls).toContainEqual(expect.stringMatching(/^GET \/api\/logs\?limit=20&offset=0/))
  await row.getByRole('button', { name: 'View details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request Details' })
  await expect(dialog.getByRole('tab')).toHaveText(['Overview', 'Request', 'Response', 'Headers'])
  await see(page, 'Response Time', 'Timestamp', 'Error Message', 'N/A', 'Latency')
  await page.getByRole('button', { name: 'Copy as cURL' }).click()
  await seeToast(page, 'cURL command copied')
  await expectClipboard(page, expect.stringContaining("curl -X 'POST'"))
  await dialog.getByRole('tab', { name: 'Request' }).click()
  await expect(dialog.getByRole('link', { name: 'Proxy Config' })).toBeVisible()
  await dialog.getByRole('tab', { name: 'Headers' }).click()
  await see(page, 'Request headers', 'Response headers')
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  for (const part of ['Latency', 'Request body', 'Response body', 'Request headers', 'Response headers']) {
    await expect(dialog.getByRole('heading', { name: part })).toBeVisible()
  }
  // As wide as the paper, and without toasts, which would be on each page.
  expect((await dialog.boundingBox())!.width).toBe(1440)
  await expect(page.locator('ol[aria-live=off]')).toBeHidden()
})

test('link with nonsense: defaults, and says so; filter changed on page 3: the page is not reset, and one past the end shows the last', async ({
  page,
}) => {
  await openPage(page, '/request-logs?page=banana&status=teapot&from=yesterday')
  await see(page, 'Part of this link could not be read', 'Showing 1-2 of 2')
  await openPage(page, '/request-logs?from=0001-01-01T00:00:00Z')
  await see(page, 'Part of this link could not be read', 'Showing 1-2 of 2')
  await openPage(page, '/request-logs?page=3')
  await see(page, 'Showing 1-2 of 2')
  await page.getByRole('combobox', { name: 'Method' }).selectOption('POST')
  await expectSearch(page, { page: '3', method: 'POST' })
  await see(page, 'Showing 1-2 of 2')
})

test('broken, aborted, retried and cached: marked beside the status, in the list and in details', async ({ page }) => {
  const logs = [
    { ...logSummary(200, 'POST'), outcome: 'upstream_failed', attempts: 3 },
    { ...logSummary(200, 'POST'), outcome: 'client_aborted', cacheStatus: 'hit' },
  ]
  await respond(page, 'GET', '/api/logs', 200, logs)
  await openPage(page, '/request-logs?status=failed')
  const rows = page.getByRole('grid').getByRole('row')
  await expect(rows.nth(1)).toHaveText(/200.*Broken.*Retried/)
  await expect(rows.nth(2)).toHaveText(/200.*Aborted.*Cached/)
  expect((await rows.nth(1).boundingBox())!.height).toBe(36)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 780, height: 900 })
  expect(await page.getByRole('grid').evaluate((grid) => grid.scrollWidth - grid.parentElement!.clientWidth)).toBe(0)
  await page.emulateMedia({ media: null })
  await expect(page.getByText('200', { exact: true }).first()).not.toHaveClass(/text-ok/)
  await page.getByRole('button', { name: 'View details' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Request Details' })
  await expect(dialog.getByText('Broken', { exact: true })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(dialog.getByText('Broken', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Request Logs', includeHidden: true })).toBeHidden()
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0)
})

test('auto-refresh: off at first, remembered, asks again every 10 seconds', newContext, async ({ page }) => {
  await page.clock.install()
  await openPage(page, '/request-logs')
  await see(page, '2 requests found')
  const toggle = page.getByRole('switch', { name: 'Auto-refresh' })
  await expect(toggle).not.toBeChecked()
  await toggle.click()
  const calls = watchCalls(page)
  await page.clock.runFor(10_000)
  for (const call of [/^GET \/api\/logs\?limit=20/, /^GET \/api\/logs\/histogram/]) {
    await expect.poll(() => calls).toContainEqual(expect.stringMatching(call))
  }
  await page.reload()
  await expect(toggle).toBeChecked()
  await enlargeFont(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverlap(page.getByRole('list', { name: 'Request history' }).getByRole('listitem'))
  expect((await page.locator('label', { hasText: 'Auto-refresh' }).boundingBox())!.width).toBeGreaterThan(20)
})

test('histogram: the arrow keys and Enter narrow the range, and Back widens it again; dragged, the list has what the bars have', async ({
  page,
}) => {
  await openPage(page, '/request-logs?range=1h')
  await see(page, '2 requests found')
  const histogram = page.getByRole('slider', { name: 'Requests over time' })
  await histogram.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+PageDown')
  await expect(histogram).toHaveAttribute('aria-valuetext', /^.+ to .+: 0 requests, 0 errors$/)
  await page.keyboard.press('Enter')
  await see(page, '0 requests found')
  expect(new URL(page.url()).searchParams.get('from')).not.toBeNull()
  await page.goBack()
  await expectSearch(page, { range: '1h' })
  await see(page, '2 requests found')
  const box = (await histogram.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 1, box.y + 20)
  await expect(histogram).toHaveAttribute('aria-valuetext', /2 requests, 0 errors$/)
  await page.mouse.up()
  await expect.poll(() => new URL(page.url()).searchParams.has('to')).toBe(true)
  await see(page, '2 requests found')
})

test('histogram of minutes: no two labels are the same', async ({ page }) => {
  const [from, to] = [Date.now() - 300_000, Date.now()].map((at) => new Date(at).toISOString())
  await openPage(page, `/request-logs?from=${from}&to=${to}`)
  const labels = page.locator('svg:has(+ input[type=range]) text')
  await expect(labels.nth(5)).toBeVisible()
  const texts = await labels.allTextContents()
  expect(new Set(texts).size, texts.join()).toBe(texts.length)
})

test('histogram of days: the label at its end is whole', async ({ page }) => {
  await openPage(page, '/request-logs?range=7d')
  const chart = page.locator('svg:has(+ input[type=range])')
  await expect(chart.locator('text').first()).toBeVisible()
  const hasRoom = await chart.evaluate((svg) => {
    const { right } = svg.getBoundingClientRect()
    return [...svg.querySelectorAll('text')].every((label) => label.getBoundingClientRect().right <= right)
  })
  expect(hasRoom).toBe(true)
})

test('keyboard: slash searches, arrows move, Enter opens, Escape closes', async ({ page }) => {
  await openPage(page, '/request-logs')
  await see(page, 'Showing 1-2 of 2')
  await page.keyboard.press('/')
  const search = page.getByPlaceholder('Search requests...')
  await expect(search).toBeFocused()
  await page.getByRole('slider', { name: 'Requests over time' }).press('/')
  await expect(search).toBeFocused()
  await page.locator('tr[data-index="0"]').focus()
  const release = await holdFrames(page)
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('tr[data-index="1"]')).toBeFocused()
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog').and(page.locator(':focus-within'))
  await expect(details).toBeVisible()
  // The frames requested by the arrow key must not steal the focus.
  await release()
  await escapeFrom(details)
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('export: exactly the filtered set', async ({ page }) => {
  await openPage(page, '/request-logs?status=error&model=gpt-4o')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const addresses = await page
    .getByRole('menuitem')
    .evaluateAll((items) => items.map((item) => item.getAttribute('href')))
  const formats = ['csv', 'csv&bom=true', 'jsonl', 'parquet']
  expect(addresses).toEqual(
    formats.map((format) =>
      expect.stringMatching(`^/api/logs/export\\?status=error&model=gpt-4o&format=${format}&account=[\\w-]+$`),
    ),
  )
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Parquet' }).click()
  expect((await download).suggestedFilename()).toMatch(/^request-logs-.*\.parquet$/)
})
