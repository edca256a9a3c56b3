import { expect } from '@playwright/test'
import { logIn } from './support/accounts.ts'
import { escapeFrom, expectToFit, openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { alertsOfEveryState, webhooksOfEveryState } from './support/alert-screens.ts'
import { hold, respond, respondWithProblem } from './support/intercept.ts'
import { newContext, test } from './support/test.ts'

test('an alert is added with what it would have done, then edited, silenced, tested and deleted', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('alerts')
  await openPage(page, '/alerts')
  await see(page, 'No alerts yet', 'No webhooks yet')
  const release = await hold(page, 'POST', '/api/alerts/preview')
  await page.getByRole('button', { name: 'Add Your First Alert' }).click()
  const dialog = page.getByRole('dialog')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  const loading = await preview.boundingBox()
  release()
  await expect(preview.getByText('It would not have fired.')).toBeVisible()
  expect(await preview.boundingBox()).toEqual(loading)
  await dialog.getByRole('button', { name: 'Add Alert' }).click()
  await see(page, 'Please enter a name')
  await dialog.getByLabel('Name').fill('Slow')
  await dialog.getByLabel('When').selectOption('Response time (p95)')
  await dialog.getByLabel('Within (minutes)').fill('0')
  await dialog.getByLabel('Tags').fill('acme')
  await dialog.getByRole('button', { name: 'Add Alert' }).click()
  await see(page, 'Minutes must be a whole number from 1 to 1440', 'Expected a tag such as customer:acme')
  await dialog.getByLabel('Within (minutes)').fill('5')
  await dialog.getByLabel('Tags').fill('customer:acme')
  await expect(dialog.getByText('It would not have fired.')).toContainText('with windows of 15 minutes')
  await expectToFit(page)
  await dialog.getByRole('button', { name: 'Add Alert' }).click()
  await seeToast(page, 'Alert added')
  await see(page, 'Response time (p95) over 5,000 ms in 5 minutes · customer:acme', 'Not evaluated yet')
  await expectToFit(page)

  await page.getByRole('button', { name: 'Edit Slow' }).click()
  await expect(dialog.getByLabel('Tags')).toHaveValue('customer:acme')
  await dialog.getByLabel('Threshold (ms)').fill('900')
  const saved = page.waitForRequest((request) => request.method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  // Only what was edited: the name may have changed in another tab.
  expect(Object.keys((await saved).postDataJSON()).toSorted()).toEqual([
    'comparison',
    'filters',
    'group',
    'measure',
    'threshold',
    'windowMinutes',
  ])
  await see(page, 'Response time (p95) over 900 ms in 5 minutes · customer:acme')
  await page.getByRole('button', { name: 'Silence Slow' }).press('Enter')
  await page.getByRole('menuitem', { name: '4 hours' }).press('Enter')
  await expect(page.getByText(/Silenced until/)).toBeVisible()
  await page.getByRole('button', { name: 'Send a test of Slow' }).click()
  await seeToast(page, 'Test sent')
  await page.getByRole('button', { name: 'History of Slow' }).click()
  await see(page, 'It has not changed yet.')
  await escapeFrom(dialog)
  await page.getByRole('button', { name: 'Delete Slow' }).click()
  await page.getByRole('button', { name: 'Delete Alert' }).click()
  await see(page, 'No alerts yet')
})

test('filters without a field removed: an edit like others, asked about before it is lost, and saved', async ({
  page,
}) => {
  const [alert] = alertsOfEveryState
  const filtered = { ...alert, name: 'Cached', filters: { ...alert!.filters, cache: ['hit'] } }
  await respond(page, 'GET', '/api/alerts', 200, { alerts: [filtered], sendsMail: true })
  await respond(page, 'PATCH', `/api/alerts/${alert!.id}`, 204, '')
  await openPage(page, '/alerts')
  await page.getByRole('button', { name: 'Edit Cached' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(dialog.getByLabel('Tags')).toBeFocused()
  await escapeFrom(dialog)
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  const saved = page.waitForRequest((request) => request.method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  expect((await saved).postDataJSON().filters).toEqual(alert!.filters)
})

test('a double click deletes once, and Enter pressed while the question fades out nothing more', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await respond(page, 'GET', '/api/alerts', 200, { alerts: alertsOfEveryState, sendsMail: true })
  const calls = watchCalls(page)
  await respond(page, 'DELETE', `/api/alerts/${alertsOfEveryState[1]!.id}`, 204, '')
  await openPage(page, '/alerts')
  const fadeOutIn = (time: string) =>
    page.evaluate((rise) => document.documentElement.style.setProperty('--animate-rise-out', rise), `rise-out ${time}`)
  await fadeOutIn('3600s')
  await page.getByRole('button', { name: 'Delete Slow' }).click()
  // On a busy device, React has not drawn the first click when the second one comes.
  await page
    .getByRole('button', { name: 'Delete Alert' })
    .evaluate((button: HTMLElement) => [button, button].forEach((each) => each.click()))
  const question = page.locator('[role=alertdialog]')
  await expect(question).toHaveAttribute('data-state', 'closed')
  await page.keyboard.press('Enter')
  await fadeOutIn('1ms')
  await expect(question).toHaveCount(0)
  expect(calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1)
})

test('history opened again: with what has changed since', async ({ page }) => {
  const { id } = alertsOfEveryState[0]!
  const change = { id, group: '', groupedBy: null, from: 'ok', to: 'firing', measure: 'errorRate', value: 12.5 }
  await respond(page, 'GET', '/api/alerts', 200, { alerts: alertsOfEveryState, sendsMail: true })
  await respond(page, 'GET', `/api/alerts/${id}/history`, 200, [])
  await openPage(page, '/alerts')
  const history = page.getByRole('button', { name: 'History of Errors of each customer' })
  await history.click()
  await see(page, 'It has not changed yet.')
  await escapeFrom(page.getByRole('dialog'))
  await respond(page, 'GET', `/api/alerts/${id}/history`, 200, [{ ...change, at: '2026-11-20T12:00:00.000Z' }])
  await history.click()
  await expect(page.getByRole('dialog')).toContainText('OK → Firing')
})

test('deleted in another tab: a test says so, and the alert leaves the list', async ({ page }) => {
  const [other, slow] = alertsOfEveryState
  await respond(page, 'GET', '/api/alerts', 200, { alerts: [other, slow], sendsMail: true })
  await openPage(page, '/alerts')
  await see(page, 'Slow')
  await respond(page, 'GET', '/api/alerts', 200, { alerts: [other], sendsMail: true })
  await respondWithProblem(page, 'POST', `/api/alerts/${slow!.id}/test`, 'not-found')
  await page.getByRole('button', { name: 'Send a test of Slow' }).click()
  await seeToast(page, 'Failed to send the test', /may have been deleted/)
  await expect(page.getByRole('heading', { name: 'Slow' })).toHaveCount(0)
})

test('session over with a new alert: the threshold that came with its measure is there again', async ({
  page,
  signInAsNewAccount,
}) => {
  const { username } = await signInAsNewAccount('measuring')
  await openPage(page, '/alerts?draft=%7B%7D')
  const dialog = page.getByRole('dialog', { name: 'Add Alert' })
  await dialog.getByLabel('Name').fill('Slow')
  await dialog.getByLabel('When').selectOption('Response time (p95)')
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Add Alert' }).click()
  await logIn(page, username)
  await expect(dialog.getByLabel('When')).toHaveValue('p95')
  await expect(dialog.getByLabel('Threshold (ms)')).toHaveValue('5000')
})

test('a webhook shows its secret once; one that leads inside is rejected at its field', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('webhooks')
  await openPage(page, '/alerts')
  await page.getByRole('button', { name: 'Add Webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Pager')
  await dialog.getByLabel('URL').fill('http://169.254.169.254/')
  await dialog.getByRole('button', { name: 'Add Webhook' }).click()
  await see(page, 'URL must not lead to a private or reserved address')
  await dialog.getByLabel('URL').fill('https://receiver.invalid/hook')
  await dialog.getByRole('button', { name: 'Add Webhook' }).click()
  await see(page, 'This secret will not be shown again.', /^whsec_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await see(page, 'https://receiver.invalid/hook')
  await page.getByRole('button', { name: 'Deliveries to Pager' }).click()
  await see(page, 'Nothing was sent yet.')
  await escapeFrom(dialog)
  await page.getByRole('button', { name: 'Delete Pager' }).click()
  await page.getByRole('button', { name: 'Delete Webhook' }).click()
  await see(page, 'No webhooks yet')
})

test('a bell on each chart leads to a new alert on its measure, filters and groups; a link that can not be read says so', async ({
  page,
}) => {
  await openPage(page, '/analytics?view=measured&range=30d')
  await page.getByRole('link', { name: 'Alert on Requests and errors' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Alert' }).getByLabel('When')).toHaveValue('errorRate')
  await escapeFrom(page.getByRole('dialog'))
  await expect(page).toHaveURL(/\/alerts$/)
  await openPage(page, '/analytics?view=measured&range=30d&groupBy=tag%3Afeature&model=gpt-4o')
  await see(page, 'By tag feature')
  const charts = await page.getByRole('button', { name: /^Export / }).count()
  await expect(page.getByRole('link', { name: /^Alert on / })).toHaveCount(charts)
  await page.getByRole('link', { name: 'Alert on Cost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Alert' })
  await expect(dialog.getByLabel('When')).toHaveValue('cost')
  await expect(dialog.getByLabel('Models')).toHaveValue('gpt-4o')
  await expect(dialog.getByLabel('Tag', { exact: true })).toHaveValue('feature')
  await openPage(page, `/alerts?draft=${encodeURIComponent('{"measure":"mood"}')}`)
  await see(page, /The alert in this link can’t be read/)
})

test('neither a long address of a webhook nor a chart drawn for a wider window widens the alert dialog', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/webhooks', 200, webhooksOfEveryState)
  await openPage(page, '/alerts')
  await page.getByRole('button', { name: 'Add Alert' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('switch', { name: /^Webhook/ })
    .first()
    .waitFor()
  for (const field of [dialog.getByLabel('Name'), dialog.getByLabel('Enabled')]) {
    await field.scrollIntoViewIfNeeded()
    const [inner, outer] = [await field.boundingBox(), await dialog.boundingBox()]
    expect(inner!.x + inner!.width).toBeLessThan(outer!.x + outer!.width)
  }
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview.locator('svg').first().waitFor()
  await page.setViewportSize({ width: 390, height: 900 })
  await expect.poll(() => preview.evaluate((box) => box.getBoundingClientRect().right < window.innerWidth)).toBe(true)
})

test(
  'an alert is saved without a webhook that was deleted elsewhere since it was selected',
  newContext,
  async ({ page }) => {
    await page.clock.install()
    await respond(page, 'GET', '/api/webhooks', 200, webhooksOfEveryState)
    await openPage(page, '/alerts')
    await page.getByRole('button', { name: 'Add Alert' }).click()
    const dialog = page.getByRole('dialog')
    const webhooks = dialog.getByRole('switch', { name: /^Webhook/ })
    await dialog.getByRole('switch', { name: 'Webhook Pager' }).setChecked(true)
    await dialog.getByRole('switch', { name: 'Webhook Chat' }).setChecked(true)
    await respond(page, 'GET', '/api/webhooks', 200, webhooksOfEveryState.slice(1))
    await page.clock.runFor(10_000)
    await expect(webhooks).toHaveCount(1)
    await dialog.getByLabel('Name').fill('Slow')
    const saved = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/alerts'))
    await dialog.getByRole('button', { name: 'Add Alert' }).click()
    expect((await saved).postDataJSON().webhookIds).toEqual([webhooksOfEveryState[1]!.id])
  },
)
