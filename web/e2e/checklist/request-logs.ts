import { expect } from 'vitest'
import { answer, fail, failureText, see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'
import { fourLogs, hostileLogs } from './fixtures.ts'

const searchOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

export const requestLogsRows = checklist('Request Logs', { as: 'regular', path: '/request-logs' }, [
  [
    'with logs',
    'filters, Request History, n requests found, paging',
    '§2',
    async ({ page }) => {
      await see(page, 'Request Logs', 'Request History', '2 requests found', 'Showing 1-2 of 2')
      await page.getByPlaceholder('Search requests...').waitFor()
      const options = (name: string) => page.getByLabel(name, { exact: true }).locator('option').allTextContents()
      expect(await options('Status')).toEqual(['All Status', 'Success (2xx)', 'Error (4xx/5xx)'])
      expect(await options('Method')).toEqual(['All Methods', 'GET', 'POST', 'PUT', 'DELETE'])
    },
  ],
  [
    'with logs',
    'a row has method, endpoint, status, ms, view and download',
    '§2',
    async ({ page }) => {
      const row = page.getByRole('row').filter({ hasText: '/v1/chat/completions' }).first()
      expect(await row.textContent()).toMatch(/200.*POST.*\d ms/)
      await row.getByRole('button', { name: 'View details' }).waitFor()
      const download = page.waitForEvent('download')
      await row.getByRole('button', { name: 'Download as JSON' }).click()
      expect((await download).suggestedFilename()).toMatch(/^request-.*\.json$/)
    },
  ],
  [
    'without logs',
    'empty state',
    '§2',
    ['No Request Logs', 'Start using the proxy to see request logs here', '0 requests found'],
    { as: 'newcomer' },
  ],
  [
    'nothing matches',
    'empty state that says so',
    '§2',
    async ({ page }) => {
      await page.getByPlaceholder('Search requests...').fill('nothingislikethis')
      await see(page, 'No Request Logs', 'No requests match your current filters')
    },
  ],
  [
    'details opened',
    'four tabs, N/A and where to switch bodies on',
    '§2',
    async ({ page }) => {
      await page.getByRole('button', { name: 'View details' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Request Details' })
      await settles(() => dialog.getByRole('tab').allTextContents(), ['Overview', 'Request', 'Response', 'Headers'])
      await see(page, 'Response Time', 'Timestamp', 'Error Message', 'N/A', 'Latency')
      await dialog.getByRole('tab', { name: 'Request' }).click()
      await dialog.getByRole('link', { name: 'Proxy Config' }).waitFor()
      await dialog.getByRole('tab', { name: 'Headers' }).click()
      await see(page, 'Request headers', 'Response headers')
    },
  ],
  [
    'filter changed on page 3',
    'the page is not reset, and one past the end shows the last',
    '§4',
    async ({ page }) => {
      await see(page, 'Showing 1-2 of 2')
      await page.getByLabel('Method', { exact: true }).selectOption('POST')
      await settles(() => searchOf(page.url()), { page: '3', method: 'POST' })
      await see(page, 'Showing 1-2 of 2')
    },
    { path: '/request-logs?page=3' },
  ],
  [
    'endpoint filter',
    'behind More filters, in the address, with a way out of it',
    'decisions, Screens',
    async ({ page }) => {
      await page.getByRole('button', { name: 'More filters' }).click()
      const endpoint = page.getByRole('region', { name: 'More filters' }).getByLabel('Endpoint')
      await endpoint.fill('/v1/embeddings')
      await endpoint.press('Enter')
      await see(page, '0 requests found')
      expect(searchOf(page.url())).toEqual({ endpoint: '/v1/embeddings' })
      await page.getByRole('button', { name: 'Endpoint /v1/embeddings' }).click()
      await see(page, '2 requests found')
      await endpoint.fill('/v1/chat/completions')
      await endpoint.press('Enter')
      await see(page, '2 requests found')
    },
  ],
  [
    'sorted and narrowed by time taken',
    'the real history answers',
    'decisions, Screens',
    ['2 requests found', 'Showing 1-2 of 2', 'At least 0 ms', 'At most 60,000 ms'],
    { path: '/request-logs?sort=oldest&minTime=0&maxTime=60000' },
  ],
  [
    'link with nonsense',
    'defaults, and says so',
    'decisions, Screens',
    ['Part of this link could not be read', 'Showing 1-2 of 2'],
    { path: '/request-logs?page=banana&status=teapot&from=yesterday' },
  ],
  [
    'keyboard',
    'slash searches, arrows move, Enter opens, Escape closes',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'Showing 1-2 of 2')
      await page.keyboard.press('/')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
      await page.locator('tr[data-index="0"]').focus()
      await page.keyboard.press('ArrowDown')
      await settles(() => page.evaluate(() => document.activeElement?.getAttribute('data-index')), '1')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  ],
  [
    'export',
    'exactly the filtered set',
    'decisions',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Export' }).click()
      const href = await page.getByRole('menuitem', { name: /CSV/ }).getAttribute('href')
      expect(href).toMatch(/^\/api\/logs\/export\?status=error&model=gpt-4o&format=csv&account=[\w-]+$/)
    },
    { path: '/request-logs?status=error&model=gpt-4o' },
  ],
  [
    'Copy as cURL pressed',
    'in the clipboard',
    'decisions, Screens',
    async ({ page }) => {
      await page.getByRole('button', { name: 'View details' }).first().click()
      await see(page, 'Latency')
      await page.getByRole('button', { name: 'Copy as cURL' }).click()
      await seeToast(page, 'cURL command copied')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("curl -X 'POST'")
    },
  ],
  [
    'live tail',
    'waits for requests',
    'decisions, Screens',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Live tail' }).click()
      await see(page, 'Live', 'Waiting for requests')
    },
    { as: 'newcomer' },
  ],
  [
    'hostile text',
    'inert in every column',
    'attacks 42',
    async ({ page }) => {
      await see(page, '429')
      expect(await page.title()).toBe('Request Logs · Sallyport')
      expect(await page.locator('body').textContent()).not.toMatch(/\u202e/u)
    },
    { before: ({ page }) => answer(page, 'GET', '/api/logs', 200, hostileLogs) },
  ],
  [
    'every status',
    'its own colour, with the number',
    '§9',
    ['200', '301', '429', '502'],
    { before: ({ page }) => answer(page, 'GET', '/api/logs', 200, fourLogs) },
  ],
  [
    'failing',
    'says what happened and offers a retry',
    'design',
    ['The request logs could not be loaded', failureText, 'Try again'],
    { before: ({ page }) => fail(page, 'GET', '/api/logs') },
  ],
  [
    'opened',
    'asks for 20 logs',
    '§7',
    async ({ page }) => {
      const calls = watchCalls(page)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await settles(() => calls.some((call) => call.startsWith('GET /api/logs?limit=20&offset=0')), true)
    },
  ],
])
