import { expect, type Page } from '@playwright/test'
import { openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { fail, respond } from './support/intercept.ts'
import { fourKeys, fourLogs } from './support/samples.ts'
import { test } from './support/test.ts'

interface Interval {
  run: () => void
  ms: number
}

/** Intervals of the page run when `passInterval` says so, not by the clock. */
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
    const { intervals } = window as unknown as { intervals: Map<number, Interval> }
    for (const { run } of [...intervals.values()].filter((interval) => interval.ms === passed)) run()
  }, ms)

test('opened: Online badge, metric cards with real numbers, Proxy Status card', async ({ page }) => {
  await openPage(page, '/')
  await see(page, 'Dashboard', 'Online', 'Test Proxy', 'Restart Proxy')
  await see(page, 'Total Requests', 'Success Rate', 'Avg Response Time', 'Active Keys', '100.0%', '1 primary, 1 backup')
  await see(page, 'Proxy Status', 'Running', '2 active', 'Configured')
})

test('with odd numbers: one decimal in percent, rounded ms', async ({ page }) => {
  await respond(page, 'GET', '/api/stats', 200, { totalRequests: 1234, successRate: 98.4321, avgResponseTime: 843.6 })
  await openPage(page, '/')
  await see(page, '98.4%', '844 ms')
})

test('Restart Proxy pressed: notice Feature Coming Soon', async ({ page }) => {
  await openPage(page, '/')
  await page.getByRole('button', { name: 'Restart Proxy' }).click()
  await seeToast(page, 'Feature Coming Soon')
})

test('four keys, three active: lists at most 3 active keys', async ({ page }) => {
  await respond(page, 'GET', '/api/keys', 200, fourKeys)
  await openPage(page, '/')
  await see(page, 'Key 3', '3 active')
  await expect(page.getByText('Key 4')).toHaveCount(0)
})

test('Test Proxy succeeds: success toast, logs and stats refreshed', async ({ page }) => {
  await openPage(page, '/')
  const calls = watchCalls(page)
  await page.getByRole('button', { name: 'Test Proxy' }).click()
  await seeToast(page, 'Success')
  expect(calls).toContain('POST /api/proxy/test')
  await expect.poll(() => calls.slice(calls.indexOf('POST /api/proxy/test'))).toContain('GET /api/stats')
})

test('Test Proxy fails: toast Error / Failed to test proxy connection', async ({ page }) => {
  await fail(page, 'POST', '/api/proxy/test')
  await openPage(page, '/')
  await page.getByRole('button', { name: 'Test Proxy' }).click()
  await seeToast(page, 'Error', 'Failed to test proxy connection')
})

test('left open in the background: stats every 5 s, the latest 5 logs every 3 s', async ({ page }) => {
  await stopIntervals(page)
  await openPage(page, '/')
  await see(page, '100.0%')
  await expect(page.getByRole('button', { name: /\/v1\/chat\/completions/ }).first()).toBeVisible()
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
    // Repeated, because no poll starts while the one before is under way.
    await expect
      .poll(async () => {
        await passInterval(page, ms)
        return calls.includes(call)
      })
      .toEqual(true)
  }
})

test('a log opened: Request Details with four tabs; what is missing is N/A', async ({ page }) => {
  await openPage(page, '/')
  await page
    .getByRole('button', { name: /\/v1\/chat\/completions/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Request Details' })
  await expect(dialog.getByRole('tab')).toHaveText(['Overview', 'Request', 'Response', 'Headers'])
  await dialog.getByRole('tab', { name: 'Request' }).click()
  await expect(dialog.getByText('N/A')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Proxy Config' })).toBeVisible()
})

test('logs of every kind: number beside colour: 2xx green, 3xx blue, 4xx orange, 5xx red', async ({ page }) => {
  await respond(page, 'GET', '/api/logs', 200, fourLogs)
  await openPage(page, '/')
  const colours = { 200: 'text-ok', 301: 'text-info', 429: 'text-warn', 502: 'text-danger' }
  for (const [status, colour] of Object.entries(colours))
    await expect(page.getByText(status, { exact: true }).first()).toContainClass(colour)
})

test('a part fails: says so there and offers to try again, the rest works', async ({ page }) => {
  await fail(page, 'GET', '/api/logs')
  await openPage(page, '/')
  await see(page, 'The request logs could not be loaded', 'Try again', 'Running')
})

test('nothing left to do: no first steps', async ({ page }) => {
  await openPage(page, '/')
  await see(page, 'API Request Tester', 'Recent Request Logs')
  await expect(page.getByText('Set up Sallyport')).toHaveCount(0)
})

test.describe('of a new account', () => {
  test.use({ visitor: 'newcomer' })

  test('no key: Primary Key Not set, empty states with one action each', async ({ page }) => {
    await openPage(page, '/')
    await see(
      page,
      'Not set',
      'No active API keys',
      'No Request Logs',
      'Start using the proxy to see request logs here',
    )
  })

  test('Test Proxy answers success false: toast Failed with the server’s message', async ({ page }) => {
    await openPage(page, '/')
    await page.getByRole('button', { name: 'Test Proxy' }).click()
    await seeToast(page, 'Failed', 'No primary API key is set. Add one, or make one of yours primary.')
  })

  test('empty account: three steps, each one click away', async ({ page }) => {
    await openPage(page, '/')
    await see(page, 'Set up Sallyport', '0 of 3 steps done', 'Add a provider key', 'Send your first request')
    await page.getByRole('link', { name: 'Create Token' }).click()
    await expect(page.getByRole('dialog', { name: 'Create Secure Token' })).toBeVisible()
  })
})
