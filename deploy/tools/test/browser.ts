import { userInfo } from 'node:os'
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import type { BrowserContext } from './browser-setup.ts'

/** The stack that runs for the browser tests, and a browser of the test file's own: close it when done. */
export async function openBrowser(): Promise<BrowserContext & { browser: Browser }> {
  const context = inject('browser')
  const browser = await chromium.launch({
    executablePath: context.chromiumPath,
    // Chromium's own sandbox refuses to run as root.
    chromiumSandbox: userInfo().uid !== 0,
  })
  return { ...context, browser }
}
