import { expect } from '@playwright/test'
import { day, hour } from '#schemas/units.ts'
import { expectSearch, openPage, see } from './support/assertions.ts'
import { respond } from './support/intercept.ts'
import { logSummary, thousandChats } from './support/samples.ts'
import { newContext, test } from './support/test.ts'

test('estimated, a log of 1,800 rejected requests: all of them count', async ({ page }) => {
  const createdAt = new Date().toISOString()
  const logs = [
    { ...logSummary(200, 'POST'), createdAt },
    { ...logSummary(429, 'POST'), createdAt, requestCount: 1_800 },
  ]
  await respond(page, 'GET', '/api/logs', 200, logs)
  await openPage(page, '/analytics?tab=errors')
  await see(page, '1,801', '0.1%', '1,800 (99.9%)')
})

test('estimated, from the latest 1,000 logs: an endpoint and a status lead to no older requests', async ({ page }) => {
  const from = new Date(Date.now() - hour).toISOString()
  const logs = thousandChats.map((log) => ({ ...log, createdAt: from }))
  await respond(page, 'GET', '/api/logs', 200, logs)
  await respond(page, 'GET', '/api/stats', 200, { totalRequests: 50_000, successRate: 97, avgResponseTime: 100 })
  await openPage(page, '/analytics')
  await see(page, 'Of the latest 1,000 requests')
  await page.getByRole('button', { name: 'Top endpoints as a table' }).click()
  await page.getByRole('button', { name: '/v1/chat/completions' }).press('Enter')
  await expectSearch(page, { endpoint: '/v1/chat/completions', from })
  await openPage(page, '/analytics?tab=errors')
  await see(page, 'The latest of 50,000')
  await page.getByRole('button', { name: 'Status codes as a table' }).click()
  await page.getByRole('button', { name: '429' }).press('Enter')
  await expectSearch(page, { statusCode: '429', from })
})

test('estimated, left open over midnight: refreshed, it has the new day', newContext, async ({ page }) => {
  const noon = Date.parse('2026-01-15T12:00:00Z')
  const days = page.getByRole('table', { name: 'Requests and errors per day' }).getByRole('row')
  const respondWith = (counts: number[]) =>
    respond(
      page,
      'GET',
      '/api/logs',
      200,
      counts.map((requestCount, later) => ({
        ...logSummary(200, 'POST'),
        requestCount,
        createdAt: new Date(noon + later * day).toISOString(),
      })),
    )
  // Else the page would follow the gateway's clock.
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), date: '' } })
  })
  await page.clock.setFixedTime(noon)
  await respondWith([11])
  await openPage(page, '/analytics')
  await page.getByRole('button', { name: 'Requests and errors per day as a table' }).click()
  await expect(days.last()).toContainText(/Jan 15.*11/)
  await page.clock.setFixedTime(noon + day)
  await respondWith([11, 22])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(days.last()).toContainText(/Jan 16.*22/)
  await expect(days.nth(-2)).toContainText(/Jan 15.*11/)
})

test('measured, of the last 90 days: what reads logs says that the first of these days is not whole', async ({
  page,
}) => {
  await openPage(page, '/analytics?view=measured&range=90d&groupBy=tag%3Afeature')
  await see(page, /^Requests before .* can no longer be grouped by this/, /^Errors before .* are not kept any more/)
})

test('measured, of successes: the number of errors is 0 and leads nowhere, also in a chart by group', async ({
  page,
}) => {
  await openPage(page, '/analytics?view=measured&status=success&groupBy=model')
  const totals = page.getByRole('region', { name: 'Totals', exact: true })
  await expect(totals.getByRole('link', { name: '2', exact: true })).toBeVisible()
  await expect(totals.getByRole('link', { name: '0', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Errors as a table' }).click()
  const errors = page.getByRole('table', { name: 'Errors', exact: true })
  await expect(errors).toBeVisible()
  await expect(errors.getByRole('button')).toHaveCount(0)
})

test('measured, dragged over a whole chart: the stretch is the range, without the rest of its steps', async ({
  page,
}) => {
  const today = Math.floor(Date.now() / day) * day
  const [from, to] = [new Date(today - 60 * day + hour).toISOString(), new Date().toISOString()]
  await openPage(page, `/analytics?view=measured&from=${from}&to=${to}`)
  const chart = page.locator('svg:has(.visx-area)').first()
  await expect(chart).toBeVisible()
  const { x, y, width, height } = (await chart.boundingBox())!
  await page.mouse.move(x + 61, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.move(x + width - 85, y + height / 2)
  await page.mouse.up()
  await page.getByRole('menuitem', { name: 'What changed?' }).click()
  const changed = () => new URL(page.url()).searchParams.get('changed')
  await expect.poll(changed).toBe(`${from}..${to},requests,equal`)
})

test('measured, opened: the labels of a chart are in their places from the start', newContext, async ({ page }) => {
  await page.addInitScript(() => {
    const places = new Set<string | null>()
    const note = () => {
      for (const label of document.querySelectorAll('svg text'))
        if (label.textContent === 'Requests') places.add(label.getAttribute('y'))
    }
    new MutationObserver(note).observe(document, { childList: true, subtree: true, attributes: true })
    Object.assign(window, { places })
  })
  await openPage(page, '/analytics?view=measured&range=24h')
  await expect(page.locator('svg:has(.visx-area) text', { hasText: 'Requests' })).toBeVisible()
  expect(await page.evaluate('[...places]')).toHaveLength(1)
})
