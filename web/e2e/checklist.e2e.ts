import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '#tools/test/browser.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { analyticsRows } from './checklist/analytics.ts'
import { apiDocsRows } from './checklist/api-docs.ts'
import { apiKeysRows } from './checklist/api-keys.ts'
import { authRows } from './checklist/auth.ts'
import { confirmPasswordRows } from './checklist/confirm-password.ts'
import { dashboardRows } from './checklist/dashboard.ts'
import { frameRows } from './checklist/frame.ts'
import { landingRows } from './checklist/landing.ts'
import { mailedLinkRows } from './checklist/mailed-links.ts'
import { pipelineRows } from './checklist/pipeline.ts'
import { pricingRows } from './checklist/pricing.ts'
import { profileRows } from './checklist/profile.ts'
import { proxyConfigRows } from './checklist/proxy-config.ts'
import { requestLogDetailsRows } from './checklist/request-log-details.ts'
import { requestLogTableRows } from './checklist/request-log-table.ts'
import { requestLogsRows } from './checklist/request-logs.ts'
import { requestTesterRows } from './checklist/request-tester.ts'
import { secureTokensRows } from './checklist/secure-tokens.ts'
import { undoEmailChangeRows } from './checklist/undo-email-change.ts'
import { openPage, withPage } from './visit.ts'

const rows = [
  ...landingRows,
  ...authRows,
  ...mailedLinkRows,
  ...frameRows,
  ...dashboardRows,
  ...requestTesterRows,
  ...apiKeysRows,
  ...secureTokensRows,
  ...proxyConfigRows,
  ...apiDocsRows,
  ...requestLogsRows,
  ...requestLogTableRows,
  ...requestLogDetailsRows,
  ...analyticsRows,
  ...confirmPasswordRows,
  ...undoEmailChangeRows,
  ...pricingRows,
  ...profileRows,
  ...pipelineRows,
]

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

test.each(rows)('$screen, $state: $expected ($paragraph)', async ({ as, path, before, check }) => {
  const account = as === 'nobody' ? null : accounts[as]
  const options: BrowserContextOptions = {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(account && { storageState: account.storageState }),
  }
  await withPage(browser, options, async (page) => {
    const crashes: Error[] = []
    page.on('pageerror', (error) => crashes.push(error))
    const visit = { page, url, account }
    await before(visit)
    await openPage(page, url + path)
    await check(visit)
    expect(crashes).toEqual([])
  })
})
