import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '#tools/test/browser.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { openScreen } from './open-screen.ts'
import { screens } from './screens.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let browser: Browser
let url: string
let accounts: Accounts
let axe: string

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const opened = await openBrowser()
  browser = opened.browser
  url = opened.stackUrl
  accounts = await createAccounts(browser, url)
})
afterAll(() => browser?.close())

for (const size of ['wide', 'narrow'] as const) {
  test.each(screens)(`axe finds nothing on $name, ${size}, light and dark`, async (screen) => {
    await openScreen(browser, url, accounts, screen, size, async (page, theme) => {
      // As one expression, because the content security policy lets no script in.
      const { violations } = await page.evaluate<AxeResults>(
        `(() => { ${axe}; return axe.run(document, { runOnly: ${JSON.stringify(rules)} }) })()`,
      )
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
      expect({ theme, found }).toEqual({ theme, found: [] })
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
      expect(overflows).toBe(false)
    })
  })
}
