import { expect } from '@playwright/test'
import { openPage, see } from './support/assertions.ts'
import { changeResponse } from './support/intercept.ts'
import { test } from './support/test.ts'
import { translate } from './support/translate.ts'

const screens = ['Secure Tokens', 'Request Logs', 'Analytics', 'Alerts', 'Dashboard']

test('translated by the browser: what changes is shown, once; screens open; names stay', async ({ page }) => {
  await openPage(page, '/')
  await translate(page)
  await see(page, 'SUCCESS RATE', 'Production')
  await changeResponse(page, '/api/stats', { avgResponseTime: 4321 })
  const testProxy = page.getByRole('button', { name: 'Test Proxy' })
  await testProxy.click()
  await see(page, 'SUCCESS', '4,321 MS')
  await expect(testProxy).toHaveText('TEST PROXY')
  for (const screen of screens) {
    await page.getByRole('navigation').getByRole('link', { name: screen }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.toUpperCase())
  }
})
