import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import type { AxeResults } from 'axe-core'
import { screens } from './support/screens.ts'
import { inBothThemes, showScreen, sizes } from './support/show-screen.ts'
import { test } from './support/test.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

test.describe.configure({ mode: 'parallel' })

for (const size of ['wide', 'narrow'] as const) {
  for (const screen of screens) {
    test.describe(size, () => {
      test.use({ visitor: screen.as, viewport: sizes[size], hasTouch: size === 'narrow' })

      test(`axe finds nothing on ${screen.name}, light and dark`, async ({ page }) => {
        await showScreen(page, screen)
        await inBothThemes(page, async (theme) => {
          // As one expression, because the content security policy lets no script in.
          const { violations } = await page.evaluate<AxeResults>(
            `(() => { ${axe}; return axe.run(document, { runOnly: ${JSON.stringify(rules)} }) })()`,
          )
          expect(
            violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))]),
            theme,
          ).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
        })
      })
    })
  }
}
