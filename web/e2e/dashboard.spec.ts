import { expect, type Page } from '@playwright/test'
import { openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { fail, respond } from './support/intercept.ts'
import { fourKeys, fourLogs } from './support/samples.ts'
import { newContext, test } from './support/test.ts'

interface Interval {
  run: () => void
  ms: number
}

declare global {
  interface Window {
    intervals: Map<number, Interval>
  }
}

/** Makes the page's intervals run when `passInterval` is called instead of by the clock. */
const stopIntervals = (page: Page) =>
  page.addInitScript(() => {
    const intervals = new Map<number, Interval>()
    let lastId = 0
    const setInterval = (run: () => void, ms: number) => {
      intervals.set(++lastId, { run, ms })
      return lastId
    }
    Object.assign(window, { intervals, setInterval, clearInterval: (id: number) => intervals.delete(id) })
  })

const passInterval = (page: Page, ms: number) =>
  page.evaluate((passed) => {
    for (const { run } of [...window.intervals.values()].filter((interval) => interval.ms === passed)) run()
  }, ms)

test('opened: Online badge, cards with real numbers; Restart Proxy: Feature Coming Soon; Test Proxy: a toast', async ({
  page,
}) => {
  await openPage(page, '/')
  await see(page, 'Dashboard', 'Online', 'Test Proxy', 'Restart Proxy')
  await see(page, 'Total Requests', 'Success Rate', 'Avg Response Time', 'Active Keys', '100.0%', '1 primary, 1 backup')
  await see(page, 'Proxy Status', 'Running', '2 active', 'Configured')
  await page.getByRole('button', { name: 'Restart Proxy' }).click()
  await seeToast(page, 'Feature Coming Soon')
  const testProxy = page.getByRole('button', { name: 'Test Proxy' })
  await testProxy.click()
  await seeToast(page, 'Success')
  await fail(page, 'POST', '/api/proxy/test')
  await testProxy.click()
  await seeToast(page, 'Error', 'Failed to test proxy connection')
})

test('odd numbers: one decimal in percent, rounded ms; at most 3 active keys; each kind of status in its colour', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/stats', 200, { totalRequests: 1234, successRate: 98.4321, avgResponseTime: 843.6 })
  await respond(page, 'GET', '/api/keys', 200, fourKeys)
  await respond(page, 'GET', '/api/logs', 200, fourLogs)
  await openPage(page, '/')
  await see(page, '98.4%', '844 ms', 'Key 3', '3 active')
  await expect(page.getByText('Key 4')).toHaveCount(0)
  const colours = { 200: 'text-ok', 301: 'text-info', 429: 'text-warn', 502: 'text-danger' }
  for (const [status, colour] of Object.entries(colours))
    await expect(page.getByText(status, { exact: true }).first()).toContainClass(colour)
  await page.emulateMedia({ media: 'print' })
  await see(page, '502')
})

test(
  'Test Proxy refreshes logs and stats; left open in the background: stats every 5 s, the latest 5 logs every 3 s',
  newContext,
  async ({ page }) => {
    await stopIntervals(page)
    await openPage(page, '/')
    await see(page, '100.0%')
    await expect(page.getByRole('button', { name: /\/v1\/chat\/completions/ }).first()).toBeVisible()
    const refreshed = watchCalls(page)
    await page.getByRole('button', { name: 'Test Proxy' }).click()
    await expect
      .poll(() => refreshed.toSorted())
      .toEqual(['GET /api/logs?limit=5', 'GET /api/stats', 'POST /api/proxy/test'])
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const polls = [
      [5_000, 'GET /api/stats'],
      [3_000, 'GET /api/logs?limit=5'],
    ] as const
    for (const [ms, call] of [...polls, ...polls]) {
      const calls = watchCalls(page)
      // Repeated, because no poll starts while the previous one is running.
      await expect
        .poll(async () => {
          await passInterval(page, ms)
          return calls.includes(call)
        })
        .toEqual(true)
    }
  },
)

test.describe('of a new account', () => {
  test.use({ visitor: 'newcomer' })

  test('empty account: Test Proxy says what is missing; empty states and three steps, each one click away', async ({
    page,
  }) => {
    await openPage(page, '/')
    await see(page, 'Not set', 'No active API keys', 'No Request Logs')
    await see(page, 'Start using the proxy to see request logs here')
    await page.getByRole('button', { name: 'Test Proxy' }).click()
    await seeToast(page, 'Failed', 'No API key is active. Add one.')
    await see(page, 'Set up Sallyport', '0 of 3 steps done', 'Add a provider key', 'Send your first request')
    await page.getByRole('link', { name: 'Create Token' }).click()
    await expect(page.getByRole('dialog', { name: 'Create Secure Token' })).toBeVisible()
  })
})
