import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'
import { tailedLogs } from './fixtures.ts'

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const heads = (page: Page) => page.getByRole('columnheader').allTextContents()

export const requestLogTableRows = checklist('Request Logs, table', { as: 'regular', path: '/request-logs' }, [
  [
    'columns and density chosen',
    'shown at once, and there after a reload',
    'decisions, Screens',
    async ({ page }) => {
      const rowHeight = async () => (await page.locator('tr[data-index="0"]').boundingBox())?.height
      await settles(async () => (await heads(page)).includes('Model'), true)
      await settles(rowHeight, 36)
      await page.getByRole('button', { name: 'Columns and density' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Model' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Outcome' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Dense rows' }).click()
      await page.keyboard.press('Escape')
      await page.reload()
      await settles(rowHeight, 28)
      expect(await heads(page)).not.toContain('Model')
      expect(await heads(page)).toContain('Outcome')
    },
  ],
  [
    'view saved',
    'under its name in this browser, opened and deleted there',
    'decisions, Screens',
    async ({ page, url }) => {
      const menu = page.getByRole('button', { name: 'Saved views' })
      await menu.click()
      await page.getByLabel('Name of the current view').fill('Refused')
      await page.keyboard.press('Enter')
      await seeToast(page, 'View saved', 'Refused')
      await page.goto(`${url}/request-logs`)
      await menu.click()
      await page.getByRole('button', { name: 'Refused', exact: true }).click()
      await settles(() => searchOf(page), { status: 'error', model: 'gpt-4o' })
      await menu.click()
      await page.getByRole('button', { name: 'Delete the view Refused' }).click()
      await page.getByText('give the view a name').waitFor()
    },
    { path: '/request-logs?status=error&model=gpt-4o&page=2' },
  ],
  [
    'Timestamp pressed',
    'oldest first, said to assistive technology, in the address',
    'decisions, Screens',
    async ({ page }) => {
      const sorted = () => page.getByRole('columnheader', { name: 'Timestamp' }).getAttribute('aria-sort')
      await settles(sorted, 'descending')
      await page.getByRole('button', { name: 'Timestamp' }).click()
      await settles(() => searchOf(page), { sort: 'oldest' })
      await settles(sorted, 'ascending')
    },
  ],
  [
    'link with every filter',
    'reproduces the view: asked for, and each with a way out',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'Last 7 days', 'Model gpt-4o', 'Token none', 'Key none', 'Status 200', 'At most 9,000 ms')
      expect(await page.getByPlaceholder('Search requests...').inputValue()).toBe('chat')
      expect(await page.getByLabel('Method', { exact: true }).inputValue()).toBe('POST')
      const calls = watchCalls(page)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await settles(() => calls.filter((call) => call.startsWith('GET /api/logs?')).length, 1)
      const asked = Object.fromEntries(
        new URLSearchParams(calls.find((call) => call.includes('/api/logs?'))?.split('?')[1]),
      )
      expect(asked).toMatchObject({
        search: 'chat',
        status: 'success',
        method: 'POST',
        timeRange: '7d',
        model: 'gpt-4o',
      })
      expect(asked).toMatchObject({ token: 'none', key: 'none', statusCode: '200', maxResponseTime: '9000' })
      await page.getByRole('button', { name: 'Clear all' }).click()
      await see(page, '2 requests found')
    },
    {
      path: '/request-logs?search=chat&status=success&method=POST&range=7d&model=gpt-4o&token=none&key=none&statusCode=200&maxTime=9000&outcome=completed',
    },
  ],
  [
    'opened',
    'says up to when the list is complete',
    'architecture, Log pipeline',
    ({ page }) => page.getByText(/^Complete up to \d\d:\d\d:\d\d$/).waitFor(),
  ],
  [
    'live tail scrolled',
    'only rows in sight are drawn; it holds still until Resume',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, '500 requests since the tail began')
      expect(await page.locator('tr[data-index]').count()).toBeLessThan(60)
      await page.locator('tr[data-index="3"]').hover()
      await page.mouse.wheel(0, 4_000)
      await see(page, 'Paused')
      await page.locator('tr[data-index="120"]').waitFor()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.locator('tr[data-index="0"]').waitFor()
      await settles(() => page.getByText('Paused').count(), 0)
    },
    {
      path: '/request-logs?live=true',
      before: ({ page }) =>
        page.route('**/api/logs/tail?*', (route) =>
          route.fulfill({
            contentType: 'text/event-stream',
            body: `retry: 600000\n\ndata: ${JSON.stringify(tailedLogs)}\n\n`,
          }),
        ),
    },
  ],
])
