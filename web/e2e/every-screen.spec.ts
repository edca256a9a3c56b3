import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { expectToFit, openPage, see } from './support/assertions.ts'
import { fail, failureText, respond } from './support/intercept.ts'
import { hostileKeys, hostileLogs, hostileNames, hostileTokens } from './support/samples.ts'
import { screens } from './support/screens.ts'
import { inBothThemes, showScreen, sizes } from './support/show-screen.ts'
import { test } from './support/test.ts'

interface LayoutShift extends PerformanceEntry {
  value: number
  sources: { node: Element | null }[]
}

declare global {
  interface Window {
    shifts: { value: number; moved: string }[]
  }
}

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
// The theme changes only colours.
const rules = { light: wcag, dark: ['color-contrast'] }

/** The viewport of a 1280 × 1024 screen at 400 % zoom (WCAG 1.4.10). */
const zoomed = { width: 320, height: 256 }

/** Highest total layout shift that a reader does not notice. */
const maxShift = 0.02

const fitsItsWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

test.describe.configure({ mode: 'parallel' })

for (const screen of screens) {
  test.describe(screen.name, () => {
    test.use({ visitor: screen.as ?? 'regular', viewport: sizes.wide })

    test(`${screen.name}: shows its texts, and axe finds nothing, wide and narrow, light and dark`, async ({
      page,
    }) => {
      await showScreen(page, screen)
      await page.evaluate(axe)
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        await inBothThemes(page, async (theme) => {
          // A string expression, because the content security policy blocks inline scripts. Reduced in the page,
          // because the full result lists every element under every rule.
          const violations = await page.evaluate(
            `axe.run(document, { runOnly: ${JSON.stringify(rules[theme])}, resultTypes: ['violations'] }).then((result) =>
              result.violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))]))`,
          )
          expect(violations, `${size}, ${theme}`).toEqual([])
        })
        expect(await fitsItsWidth(page)).toBe(true)
      }
      await page.setViewportSize(zoomed)
      expect(await fitsItsWidth(page)).toBe(true)
    })
  })
}

test('400 % zoom: a question, the menu and details scroll to their ends', async ({ page }) => {
  await page.setViewportSize(zoomed)
  await openPage(page, '/api-keys')
  const expectToReach = async (opener: string, role: 'alertdialog' | 'dialog', last: string) => {
    await page.getByRole('button', { name: opener }).first().press('Enter')
    await page.getByRole(role).hover()
    await page.mouse.wheel(0, 5_000)
    await expect(page.getByRole(role).getByRole('button', { name: last })).toBeInViewport()
  }
  await expectToReach('Delete Production', 'alertdialog', 'Delete Key')
  await page.keyboard.press('Escape')
  await expectToReach('Open menu', 'dialog', 'Sign out')
  await openPage(page, '/request-logs')
  await expectToReach('View details', 'dialog', 'Send again')
})

const openedPaths = {
  guest: ['/', '/auth'],
  newcomer: ['/'],
  regular: ['/', '/api-keys', '/secure-tokens', '/proxy-config', '/api-docs'],
}

for (const visitor of ['guest', 'newcomer', 'regular'] as const) {
  for (const size of ['wide', 'narrow'] as const) {
    test.describe(`${visitor}, ${size}`, () => {
      test.use({ visitor, viewport: sizes[size], reducedMotion: 'no-preference' })

      for (const path of openedPaths[visitor])
        test(`nothing moves while ${path} opens`, ({ page }) => expectNoShift(page, path))
    })
  }
}

async function expectNoShift(page: Page, path: string) {
  const devtools = await page.context().newCDPSession(page)
  // As on a first visit.
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  const observer = await page.addInitScript(() => {
    window.shifts = []
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[])
        window.shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(' | ') })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await openPage(page, path)
  await observer.dispose()
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const shifts = await page.evaluate(async () => {
    // The observer is notified about a frame during the next one.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return window.shifts
  })
  await devtools.detach()
  const total = shifts.reduce((sum, { value }) => sum + value, 0)
  expect(total, JSON.stringify(shifts)).toBeLessThan(maxShift)
}

test.describe('for an operator', () => {
  test.use({ visitor: 'operator' })

  test('data that can’t be loaded: what happened, and a retry', async ({ page }) => {
    for (const [path, call, title] of [
      ['/request-logs', '/api/logs', 'The request logs could not be loaded'],
      ['/analytics', '/api/logs', 'The analytics could not be loaded'],
      ['/secure-tokens', '/api/tokens', 'The secure tokens could not be loaded'],
      ['/proxy-config', '/api/proxy/config', 'The proxy configuration could not be loaded'],
      ['/pricing', '/api/plans', 'The plans could not be loaded'],
      ['/pipeline', '/api/pipeline', 'The pipeline could not be read'],
      ['/', '/api/logs', 'The request logs could not be loaded'],
    ] as const) {
      await fail(page, 'GET', call)
      await openPage(page, path)
      await see(page, title, failureText, 'Try again')
      await expect(page.getByText('Counting…')).toBeHidden()
    }
    // The rest of the Dashboard works.
    await see(page, 'Running')
  })
})

test('names of 200 letters, emoji, right to left, script: inert, and nothing breaks out', async ({ page }) => {
  for (const [path, call, list, shown, title] of [
    ['/api-keys', '/api/keys', hostileKeys, hostileNames[3]!, 'API Keys'],
    ['/secure-tokens', '/api/tokens', hostileTokens, hostileNames[3]!, 'Secure Tokens'],
    ['/request-logs', '/api/logs', hostileLogs, '429', 'Request Logs'],
  ] as const) {
    await respond(page, 'GET', call, 200, list)
    await page.setViewportSize(sizes.wide)
    await openPage(page, path)
    await expect(page.getByText(shown).first()).toBeVisible()
    await expect(page).toHaveTitle(`${title} · Sallyport`)
    await expect(page.locator('body')).not.toContainText(/\u202e/u)
    await expectToFit(page)
  }
})

test('a name written from right to left is cut at its end; at 390 px, no name is cut', async ({ page }) => {
  await respond(page, 'GET', '/api/keys', 200, hostileKeys)
  await openPage(page, '/api-keys')
  const isFirstLetterShown = page.getByTitle(hostileNames[2]!).evaluate((name) => {
    const letter = document.createRange()
    letter.setStart(name.firstChild!, 0)
    letter.setEnd(name.firstChild!, 1)
    return letter.getBoundingClientRect().right <= name.parentElement!.getBoundingClientRect().right
  })
  expect(await isFirstLetterShown).toBe(true)
  // Without a pointer there is no tooltip.
  await page.setViewportSize(sizes.narrow)
  const isCut = page.getByTitle(hostileNames[0]!).evaluate((name) => name.scrollWidth > name.clientWidth)
  expect(await isCut).toBe(false)
})
