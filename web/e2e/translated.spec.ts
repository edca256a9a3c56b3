import { expect } from '@playwright/test'
import { alertsOfEveryState } from './support/alert-screens.ts'
import { openPage, see, seeToast } from './support/assertions.ts'
import { changeResponse, respond } from './support/intercept.ts'
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

test('translated by Firefox, which joins neighbouring texts: the screen stays when one of them goes', async ({
  page,
}) => {
  const [firing, slow] = alertsOfEveryState
  const alerts = { alerts: [firing, slow], sendsMail: true }
  await respond(page, 'GET', '/api/alerts', 200, alerts)
  await respond(page, 'POST', `/api/alerts/${slow!.id}/test`, 204, '')
  await openPage(page, '/alerts')
  await see(page, 'Firing (2)', 'No data')
  await page.evaluate(() => document.body.normalize())
  const changed = [
    { ...firing, groups: [] },
    { ...slow, name: 'Slower' },
  ]
  await respond(page, 'GET', '/api/alerts', 200, { ...alerts, alerts: changed })
  await page.getByRole('button', { name: 'Send a test of Slow' }).click()
  await seeToast(page, 'Test sent')
  await see(page, 'Alerts', 'Slower')
})
