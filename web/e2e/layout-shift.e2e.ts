import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '#tools/test/browser.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { openPage, withPage } from './visit.ts'

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
    const options: BrowserContextOptions = {
      viewport: { width, height: 900 },
      ...(as !== 'nobody' && { storageState: accounts[as].storageState }),
    }
    await withPage(browser, options, async (page) => {
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
      await openPage(page, url + path)
      await page.waitForLoadState('networkidle')
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
      // A frame is told of when the next one is made.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      const shifts = await page.evaluate(
        () => (window as unknown as { shifts: { value: number; moved: string }[] }).shifts,
      )
      const total = shifts.reduce((sum, { value }) => sum + value, 0)
      expect(total < mostShift ? [] : [width, ...shifts]).toEqual([])
    })
  }
})
