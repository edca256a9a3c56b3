import { expect } from 'vitest'
import { answer, fail, hold, see, settles, watchCalls } from '../assertions.ts'
import { checklist, type Visit } from '../checklist-table.ts'
import { thousandChats } from './fixtures.ts'

const searchOf = ({ page }: Visit) => new URL(page.url()).searchParams

export const analyticsRows = checklist('Analytics', { as: 'regular', path: '/analytics' }, [
  [
    'opened',
    'ranges, four cards, four tabs, Estimated first',
    '§2',
    async ({ page }) => {
      await see(page, 'Total Requests', 'Success Rate', 'Avg Response Time', 'Estimated Cost')
      const ranges = page.getByLabel('Time range').locator('option')
      await settles(() => ranges.allTextContents(), ['Last 24h', 'Last 7 days', 'Last 30 days', 'Last 90 days'])
      expect(await page.getByLabel('Time range').inputValue()).toBe('7d')
      const tabs = ['Usage Trends', 'Performance', 'Error Analysis', 'Cost Breakdown']
      await settles(() => page.getByRole('tab').allTextContents(), tabs)
    },
  ],
  [
    'with 1000 chats',
    'estimates exact to the digit',
    '§9',
    async ({ page }) => {
      await see(page, '$2.0000', '97.0%')
      await page.getByRole('tab', { name: 'Performance' }).click()
      await see(page, '150 ms', '99.9%', '142.9/day')
      await page.getByRole('tab', { name: 'Cost Breakdown' }).click()
      await see(page, '$1.2000', '$0.6000', '$0.2000', '$8.5714')
    },
    { before: ({ page }) => answer(page, 'GET', '/api/logs', 200, thousandChats) },
  ],
  [
    'top endpoint clicked',
    'the logs behind the bar',
    'decisions, Screens',
    async ({ page }) => {
      const bar = page.getByText('/v1/chat/completions').filter({ visible: true }).first()
      // What the chart finds bars by lies above them.
      await bar.click({ force: true })
      await see(page, 'Request History', 'Endpoint /v1/chat/completions', 'Last 7 days', '2 requests found')
    },
  ],
  [
    'errors',
    'status labels',
    '§8',
    async ({ page }) => {
      await page.getByRole('tab', { name: 'Error Analysis' }).click()
      await see(page, '429 Rate Limited')
    },
    { before: ({ page }) => answer(page, 'GET', '/api/logs', 200, thousandChats) },
  ],
  [
    'no errors',
    'says so',
    '§8',
    async ({ page }) => {
      await page.getByRole('tab', { name: 'Error Analysis' }).click()
      await see(page, 'No errors in selected time period')
    },
  ],
  [
    'loading',
    'Loading analytics data...',
    '§2',
    async ({ page }) => {
      const letGo = await hold(page, 'GET', '/api/logs')
      await page.reload()
      await see(page, 'Loading analytics data...')
      letGo()
      await see(page, 'Estimated Cost')
    },
  ],
  [
    'another range',
    'asks for at most 1000 logs of it',
    '§7',
    async ({ page }) => {
      const calls = watchCalls(page)
      await page.getByLabel('Time range').selectOption('Last 30 days')
      await settles(() => calls.includes('GET /api/logs?limit=1000&timeRange=30d'), true)
      await settles(() => calls.includes('GET /api/stats?timeRange=30d'), true)
    },
  ],
  [
    'measured',
    'totals and charts of every request',
    'decisions',
    ['Availability', 'Response time, p95', 'Requests and errors', 'Time to first byte', 'Models', 'Secure tokens'],
    { path: '/analytics?view=measured' },
  ],
  [
    'measured, Previous period pressed',
    'a line for it in each chart and a column in each table, in the address',
    'decisions, Screens',
    async ({ page }) => {
      const calls = watchCalls(page)
      const toggle = page.getByRole('button', { name: 'Previous period' })
      await toggle.click()
      await settles(() => page.locator('svg text').getByText('Previous', { exact: true }).count(), 5)
      expect(await toggle.getAttribute('aria-pressed')).toBe('true')
      expect(calls.filter((call) => call.startsWith('GET /api/analytics?from='))).toHaveLength(1)
      expect(new URL(page.url()).searchParams.get('compare')).toBe('true')
      await page.getByRole('button', { name: 'Cost as a table' }).click()
      await page.getByRole('columnheader', { name: 'Previous' }).last().waitFor()
      await toggle.click()
      await settles(() => page.locator('svg text').getByText('Previous', { exact: true }).count(), 0)
    },
    { path: '/analytics?view=measured' },
  ],
  [
    'measured, by keyboard',
    'a table behind a chart leads to the logs',
    'decisions, Screens',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Status codes as a table' }).click()
      await page.getByRole('button', { name: '200', exact: true }).press('Enter')
      await see(page, 'Request History', 'Status 200')
    },
    { path: '/analytics?view=measured' },
  ],
  [
    'measured, dragged over a chart',
    'zooms in; Zoom out leads back',
    'decisions, Screens',
    async (visit) => {
      const { page } = visit
      const chart = page.locator('svg:has(.visx-area)').first()
      const box = await chart.boundingBox()
      if (!box) throw new Error('The chart has no box')
      const at = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const
      await page.mouse.move(...at(0.3))
      await page.mouse.down()
      await page.mouse.move(...at(0.4))
      await page.mouse.move(...at(0.6))
      await page.mouse.up()
      await settles(() => searchOf(visit).has('from') && searchOf(visit).has('to'), true)
      await page.getByRole('button', { name: 'Zoom out' }).click()
      await settles(() => searchOf(visit).has('from'), false)
    },
    { path: '/analytics?view=measured' },
  ],
  [
    'measured, a slice clicked',
    'the logs behind it',
    'decisions, Screens',
    async (visit) => {
      const { page } = visit
      // The middle of the svg is a hole: what the ring is made of takes the click wherever it lies.
      await page.locator('svg path[role=presentation]').first().dispatchEvent('click')
      await see(page, 'Request History', 'Status 200')
      expect(searchOf(visit).has('from')).toBe(true)
    },
    { path: '/analytics?view=measured' },
  ],
  [
    'without requests',
    'each chart says why it is empty',
    'decisions, Screens',
    async ({ page }) => {
      await page
        .getByText(/^No requests in the range “Last 7 days”/)
        .first()
        .waitFor()
      await page.getByText('Measured', { exact: true }).click()
      await page
        .getByText(/^No requests between /)
        .first()
        .waitFor()
    },
    { as: 'newcomer' },
  ],
  [
    'link with nonsense',
    'defaults, and says so',
    'decisions, Screens',
    ['Part of this link could not be read', 'Estimated Cost'],
    { path: '/analytics?view=guessed&range=forever' },
  ],
  [
    'failing',
    'says what happened',
    'design',
    ['The analytics could not be loaded', 'Try again'],
    { before: ({ page }) => fail(page, 'GET', '/api/logs') },
  ],
])
