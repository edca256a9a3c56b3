import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '#deploy/test/browser.ts'
import { type Accounts, createAccounts } from './accounts.ts'

/** Nothing moves under the hand of whoever reads. */
const mostShift = 0.02

const paths = [
  { as: 'nobody', path: '/' },
  { as: 'nobody', path: '/auth' },
  { as: 'regular', path: '/' },
  { as: 'newcomer', path: '/' },
  { as: 'regular', path: '/api-keys' },
  { as: 'regular', path: '/secure-tokens' },
  { as: 'regular', path: '/proxy-config' },
  { as: 'regular', path: '/api-docs' },
] as const

let browser: Browser
let url: string
let accounts: Accounts

beforeAll(async () => {
  const opened = await openBrowser()
  browser = opened.browser
  url = opened.stackUrl
  accounts = await createAccounts(browser, url)
})
afterAll(() => browser?.close())

test.each(paths)('nothing moves while $path opens for $as', async ({ as, path }) => {
  for (const width of [1440, 390]) {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      ...(as !== 'nobody' && { storageState: accounts[as].storageState }),
    })
    const page = await context.newPage()
    await page.addInitScript(() => {
      const shifts: { value: number; moved: string }[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number
          sources: { node: Element | null }[]
        })[]) {
          const moved = entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(' | ')
          shifts.push({ value: entry.value, moved })
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(url + path)
    await page.waitForTimeout(1_500)
    const shifts = await page.evaluate(
      () => (window as unknown as { shifts: { value: number; moved: string }[] }).shifts,
    )
    const total = shifts.reduce((sum, { value }) => sum + value, 0)
    expect(total < mostShift ? [] : [width, ...shifts]).toEqual([])
    await context.close()
  }
})
