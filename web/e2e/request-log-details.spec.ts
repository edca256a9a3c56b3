import { expect } from '@playwright/test'
import { escapeFrom, expectSearch, openPage, see, seeToast } from './support/assertions.ts'
import { respond } from './support/intercept.ts'
import { storedLog } from './support/samples.ts'
import { test } from './support/test.ts'

const streamed = storedLog(
  '{"model":"gpt-4o","stream":true}',
  ['Hello ', 'there'].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join(''),
)

const large = storedLog(
  '{}',
  JSON.stringify({ data: Array.from({ length: 5_000 }, (_, index) => 'x'.repeat(990) + index) }),
)

test('streamed response: put together and raw; the request formatted; Send again: both stand in the tester', async ({
  page,
}) => {
  await respond(page, 'GET', `/api/logs/${streamed.id}`, 200, streamed)
  await openPage(page, `/request-logs?log=${streamed.id}`)
  const dialog = page.getByRole('dialog', { name: 'Request Details' })
  await dialog.getByRole('tab', { name: 'Request' }).click()
  await expect(dialog.getByText('"model": "gpt-4o"')).toBeVisible()
  await dialog.getByRole('tab', { name: 'Response' }).click()
  await see(page, 'Hello there')
  await dialog.getByText('Raw', { exact: true }).click()
  await expect(dialog.getByText('data: {"choices"')).toBeVisible()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByRole('combobox', { name: 'Endpoint' })).toHaveValue(streamed.endpoint)
  await expect(page.getByRole('textbox', { name: 'Body', exact: true })).toContainText('stream')
})

test('WebSocket session: each of its responses, also at 390 px', async ({ page }) => {
  const tokens = { promptTokens: 1_200, completionTokens: 34 }
  const log = {
    ...storedLog('', ''),
    responses: [
      { endedAfterMs: 900, model: 'gpt-4o', status: 'completed', ...tokens },
      { endedAfterMs: 2_100, model: 'gpt-4o-mini', status: 'failed', promptTokens: null, completionTokens: null },
    ],
  }
  await respond(page, 'GET', `/api/logs/${log.id}`, 200, log)
  await openPage(page, `/request-logs?log=${log.id}`)
  const rows = page.getByRole('dialog', { name: 'Request Details' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'gpt-4o-mini' })).toContainText('tokens unknown')
  await expect(rows.filter({ hasText: 'completed' })).toContainText('1,200 in, 34 out')
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(rows.filter({ hasText: 'completed' })).toContainText('1,200 in, 34 out')
  expect(await rows.last().evaluate((row) => row.scrollWidth <= row.clientWidth)).toBe(true)
})

test('body of 5 MB: only the lines in sight are drawn', async ({ page }) => {
  await respond(page, 'GET', `/api/logs/${large.id}`, 200, large)
  await openPage(page, `/request-logs?log=${large.id}`)
  const dialog = page.getByRole('dialog', { name: 'Request Details' })
  await dialog.getByRole('tab', { name: 'Response' }).click()
  const lines = dialog.getByRole('region', { name: 'response body' }).locator('pre')
  await expect(lines.first()).toBeVisible()
  expect(await lines.count()).toBeLessThan(100)
})

test('link copied: opens that log; closed, the address is the list’s and the focus is on its row again', async ({
  page,
}) => {
  await openPage(page, '/request-logs')
  await page.locator('tr[data-index="1"]').focus()
  await page.keyboard.press('Enter')
  await see(page, 'Latency')
  await page.getByRole('button', { name: 'Copy link' }).click()
  await seeToast(page, 'Link copied')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  // The first one is for the toast.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('tr[data-index="1"]')).toBeFocused()
  await page.goto(link)
  await escapeFrom(page.getByRole('dialog', { name: 'Request Details' }))
  await expectSearch(page, {})
})
