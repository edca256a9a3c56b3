import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { answer, fail, see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'
import { fourKeys, fourLogs } from './fixtures.ts'

type Interval = { run: () => void; ms: number }

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

export const dashboardRows = checklist('Dashboard', { as: 'regular', path: '/' }, [
  ['opened', 'title, Online badge and Test Proxy button', '§2', ['Dashboard', 'Online', 'Test Proxy']],
  [
    'opened',
    'four metric cards with real numbers',
    '§2',
    async ({ page }) => {
      await see(page, 'Total Requests', 'Success Rate', 'Avg Response Time', 'Active Keys')
      await see(page, '100.0%', '1 primary, 1 backup')
    },
  ],
  [
    'with odd numbers',
    'one decimal in percent, rounded ms',
    '§2',
    ['98.4%', '844 ms'],
    {
      before: ({ page }) =>
        answer(page, 'GET', '/api/stats', 200, { totalRequests: 1234, successRate: 98.4321, avgResponseTime: 843.6 }),
    },
  ],
  ['opened', 'Proxy Status card', '§2', ['Proxy Status', 'Running', '2 active', 'Configured', 'Restart Proxy']],
  [
    'no key',
    'Primary Key Not set, empty states with one action each',
    '§2, decisions, Screens',
    ['Not set', 'No active API keys', 'No Request Logs', 'Start using the proxy to see request logs here'],
    { as: 'newcomer' },
  ],
  [
    'Restart Proxy pressed',
    'notice Feature Coming Soon',
    '§2',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Restart Proxy' }).click()
      await seeToast(page, 'Feature Coming Soon')
    },
  ],
  [
    'four keys, three active',
    'lists at most 3 active keys',
    '§2, §9',
    async ({ page }) => {
      await see(page, 'Key 3', '3 active')
      expect(await page.getByText('Key 4').count()).toBe(0)
    },
    { before: ({ page }) => answer(page, 'GET', '/api/keys', 200, fourKeys) },
  ],
  [
    'Test Proxy succeeds',
    'success toast, logs and stats refreshed',
    '§4, §7',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Test Proxy' }).waitFor()
      const calls = watchCalls(page)
      await page.getByRole('button', { name: 'Test Proxy' }).click()
      await seeToast(page, 'Success')
      expect(calls).toContain('POST /api/proxy/test')
      await expect.poll(() => calls.slice(calls.indexOf('POST /api/proxy/test'))).toContain('GET /api/stats')
    },
  ],
  [
    'Test Proxy answers success false',
    'toast Failed with the server’s message',
    '§8',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Test Proxy' }).click()
      await seeToast(page, 'Failed', 'No primary API key is set. Add one, or make one of yours primary.')
    },
    { as: 'newcomer' },
  ],
  [
    'Test Proxy fails',
    'toast Error / Failed to test proxy connection',
    '§8',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Test Proxy' }).click()
      await seeToast(page, 'Error', 'Failed to test proxy connection')
    },
    { before: ({ page }) => fail(page, 'POST', '/api/proxy/test') },
  ],
  [
    'left open in the background',
    'stats every 5 s, the latest 5 logs every 3 s',
    '§4',
    async ({ page }) => {
      await see(page, '100.0%')
      await page
        .getByRole('button', { name: /\/v1\/chat\/completions/ })
        .first()
        .waitFor()
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
        await settles(async () => {
          await passInterval(page, ms)
          return calls.includes(call)
        }, true)
      }
    },
    { before: ({ page }) => stopIntervals(page) },
  ],
  [
    'a log opened',
    'Request Details with four tabs; what is missing is N/A',
    '§2',
    async ({ page }) => {
      await page
        .getByRole('button', { name: /\/v1\/chat\/completions/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog', { name: 'Request Details' })
      await dialog.waitFor()
      await settles(() => dialog.getByRole('tab').allTextContents(), ['Overview', 'Request', 'Response', 'Headers'])
      await dialog.getByRole('tab', { name: 'Request' }).click()
      await dialog.getByText('N/A').waitFor()
      await dialog.getByRole('link', { name: 'Proxy Config' }).waitFor()
    },
  ],
  [
    'logs of every kind',
    'number beside colour: 2xx green, 3xx blue, 4xx orange, 5xx red',
    '§9, Status colours',
    async ({ page }) => {
      await see(page, '200', '301', '429', '502')
      const colours = await Promise.all(
        ['200', '301', '429', '502'].map((status) =>
          page
            .getByText(status, { exact: true })
            .first()
            .evaluate((badge) => [...badge.classList].find((name) => /^text-(ok|info|warn|danger)$/.test(name))),
        ),
      )
      expect(colours).toEqual(['text-ok', 'text-info', 'text-warn', 'text-danger'])
    },
    { before: ({ page }) => answer(page, 'GET', '/api/logs', 200, fourLogs) },
  ],
  [
    'a part fails',
    'says so there and offers to try again, the rest works',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'The request logs could not be loaded', 'Try again', 'Running')
    },
    { before: ({ page }) => fail(page, 'GET', '/api/logs') },
  ],
  [
    'empty account',
    'three steps, each one click away',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'Set up Sallyport', '0 of 3 steps done', 'Add a provider key', 'Send your first request')
      await page.getByRole('link', { name: 'Create Token' }).click()
      await page.getByRole('dialog', { name: 'Create Secure Token' }).waitFor()
    },
    { as: 'newcomer' },
  ],
  [
    'nothing left to do',
    'no first steps',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'API Request Tester', 'Recent Request Logs')
      expect(await page.getByText('Set up Sallyport').count()).toBe(0)
    },
  ],
])
