import { expect } from '@playwright/test'
import type { Visitor } from './support/accounts.ts'
import { openPage } from './support/assertions.ts'
import { test } from './support/test.ts'

interface LayoutShift extends PerformanceEntry {
  value: number
  sources: { node: Element | null }[]
}

/** Highest sum of layout shifts at which nothing moves under a reader's hand. */
const maxShift = 0.02

const paths: Partial<Record<Visitor, string[]>> = {
  nobody: ['/', '/auth'],
  newcomer: ['/'],
  regular: ['/', '/api-keys', '/secure-tokens', '/proxy-config', '/api-docs'],
}

test.use({ reducedMotion: 'no-preference' })

for (const [visitor, visited] of Object.entries(paths) as [Visitor, string[]][]) {
  for (const width of [1440, 390]) {
    test.describe(`${visitor}, ${width} px wide`, () => {
      test.use({ visitor, viewport: { width, height: 900 } })

      for (const path of visited) {
        test(`nothing moves while ${path} opens`, async ({ page }) => {
          await page.addInitScript(() => {
            const shifts: { value: number; moved: string }[] = []
            Object.assign(window, { shifts })
            new PerformanceObserver((list) => {
              for (const { value, sources } of list.getEntries() as LayoutShift[])
                shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(' | ') })
            }).observe({ type: 'layout-shift', buffered: true })
          })
          await openPage(page, path)
          await page.waitForLoadState('networkidle')
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
          const shifts = await page.evaluate(async () => {
            // The observer hears of a frame when the next one is made.
            await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
            return (window as unknown as { shifts: { value: number; moved: string }[] }).shifts
          })
          const total = shifts.reduce((sum, { value }) => sum + value, 0)
          expect(total, JSON.stringify(shifts)).toBeLessThan(maxShift)
        })
      }
    })
  }
}
