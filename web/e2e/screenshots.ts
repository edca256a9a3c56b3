import { join } from 'node:path'
import { root } from '#tools/root.ts'
import { screens } from './support/screens.ts'
import { inBothThemes, showScreen, sizes } from './support/show-screen.ts'
import { newContext, test } from './support/test.ts'

test.describe.configure({ mode: 'parallel' })

for (const [size, viewport] of Object.entries(sizes)) {
  for (const screen of screens) {
    test.describe(size, newContext, () => {
      test.use({ visitor: screen.as ?? 'regular', viewport, hasTouch: size === 'narrow' })

      test(screen.name, async ({ page }) => {
        await showScreen(page, screen)
        await inBothThemes(page, async (theme) => {
          const height = await page.evaluate(() => document.documentElement.scrollHeight)
          const isDialog = (await page.locator('[role=dialog], [role=alertdialog]').count()) > 0
          // Makes the window as tall as the page, so that fixed elements are in the right place.
          if (!isDialog) await page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) })
          await page.screenshot({ path: join(root, `screenshots/${screen.name}-${size}-${theme}.png`) })
        })
      })
    })
  }
}
