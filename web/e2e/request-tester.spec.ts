import { expect, type Page } from '@playwright/test'
import { logIn } from './support/accounts.ts'
import { expectClipboard, openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { test } from './support/test.ts'

const editor = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const send = (page: Page) => page.getByRole('button', { name: 'Send Request' }).click()

test.use({ visitor: 'sender' })

test('opened: POST /v1/chat/completions with gpt-4o and messages; copied for a shell, without the session; sent: toast, response with time and status, seen in the logs', async ({
  page,
  origin,
}) => {
  await openPage(page, '/')
  await see(page, 'API Request Tester', 'Request', 'Response')
  await expect(page.getByLabel('Method')).toHaveValue('POST')
  await expect(page.getByLabel('Endpoint')).toHaveValue('/v1/chat/completions')
  await expect(editor(page, 'Body')).toHaveText(/gpt-4o.*messages/s)
  await expect(page.getByLabel('Method').locator('option')).toHaveText(['POST', 'GET', 'PUT', 'DELETE'])
  await expect.poll(() => page.locator('datalist option').count()).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'Copy as cURL' }).click()
  await seeToast(page, 'Copied as cURL')
  await expectClipboard(page, expect.stringContaining(`curl -X 'POST' '${origin}/api/proxy/v1/chat/completions'`))
  await expectClipboard(page, expect.stringContaining('Bearer st_your_token'))
  await send(page)
  await seeToast(page, 'Request Sent', 'Response: 200')
  await see(page, 'Complete', 'First byte')
  await expect(page.getByText('chat.completion').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /POST \/v1\/chat\/completions/ }).first()).toBeVisible()
})

test('GET chosen: no body is sent; no connection: toast Request Failed', async ({ page }) => {
  await openPage(page, '/')
  await page.getByLabel('Method').selectOption('GET')
  await see(page, 'GET sends no body.')
  await page.getByLabel('Endpoint').fill('/v1/models/gpt-4o')
  const request = page.waitForRequest('**/api/proxy/v1/models/gpt-4o')
  await send(page)
  expect((await request).postData()).toBeNull()
  await seeToast(page, 'Request Sent')
  await see(page, 'Complete')
  await page.route('**/api/proxy/v1/**', (route) => route.abort())
  await send(page)
  await seeToast(page, 'Request Failed', 'Failed to send test request')
  await see(page, 'No response yet')
})

test('headers not JSON: marked, a toast, nothing is sent; provider rejects: toast with the status, the error as response', async ({
  page,
}) => {
  await openPage(page, '/')
  await editor(page, 'Headers').fill('{"X-Test":')
  await expect(page.getByText(/^Not valid JSON/)).toBeVisible()
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible()
  const calls = watchCalls(page)
  await send(page)
  await seeToast(page, 'Request Failed', 'Failed to send test request')
  expect(calls.filter((call) => call.includes('/api/proxy/'))).toEqual([])
  await editor(page, 'Headers').fill('')
  await see(page, 'Not valid JSON: {} stands for no headers.')
  await editor(page, 'Headers').fill('{"Authorization":"Bearer st_wrong"}')
  await send(page)
  await seeToast(page, 'Request Sent', 'Response: 401')
  await expect(page.getByText('invalid_token').first()).toBeVisible()
})

test('row 69: an endpoint that leads out of the proxy is an error at the field, and nothing is sent; copied as cURL, a toast says so', async ({
  page,
}) => {
  await openPage(page, '/')
  const calls = watchCalls(page)
  for (const endpoint of ['/../user/account', '//host/v1', String.raw`/v1\..\x`, '/v1/%2e%2e/x', 'http://host/v1/x']) {
    await page.getByLabel('Endpoint').fill(endpoint)
    await expect(page.getByText(/^Enter a path of the provider/)).toBeVisible()
    await send(page)
    await seeToast(page, 'Request Failed', 'Failed to send test request')
  }
  await page.getByRole('button', { name: 'Copy as cURL' }).click()
  await seeToast(page, 'Failed to copy', /^Enter a path of the provider/)
  await page.getByLabel('Endpoint').fill('/v1/models')
  await editor(page, 'Headers').fill('{"X-Test": null}')
  await page.getByRole('button', { name: 'Copy as cURL' }).click()
  await seeToast(page, 'Failed to copy', 'The headers are not a JSON object of texts.')
  expect(calls.filter((call) => call.includes('/user/account') || call.includes('/api/proxy/'))).toEqual([])
})

test('response streams: shown as it arrives, beside the request, and after another screen; can be stopped', async ({
  page,
}) => {
  await openPage(page, '/')
  await editor(page, 'Body').fill('{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi"}]}')
  await page.keyboard.press('Control+Enter')
  const text = page.getByLabel('streamed text', { exact: true })
  await expect(text).toBeVisible()
  const early = (await text.textContent())?.length ?? 0
  await see(page, 'Receiving…')
  await expect.poll(async () => (await text.textContent())?.length ?? 0).toBeGreaterThan(early)
  await page.getByRole('tab', { name: 'Request', exact: true }).click()
  await page.getByRole('link', { name: 'Alerts' }).click()
  await see(page, 'No alerts yet')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('tab', { name: 'Request', exact: true })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Response', exact: true }).click()
  await see(page, 'Receiving…')
  await page.getByRole('button', { name: 'Stop' }).press('Enter')
  await see(page, 'Stopped by you')
  await expect(page.getByRole('button', { name: 'Send Request' })).toBeFocused()
})

test('a response of 6 MB: only its first part is kept, of which the lines in sight are drawn', async ({ page }) => {
  await openPage(page, '/')
  const image = 'A'.repeat(6_000_000)
  await page.route('**/api/proxy/v1/**', (route) => route.fulfill({ json: { data: [{ b64_json: image }] } }))
  await send(page)
  await see(page, 'Only the first 5,000,000 characters are shown.')
  const drawn = await page.getByLabel('response body', { exact: true }).textContent()
  expect(drawn?.length).toBeLessThan(20_000)
})

test('requests sent before: history of the last ten, kept in the browser, fills the form', async ({ page }) => {
  await openPage(page, '/')
  await page.route('**/api/proxy/v1/**', (route) => route.fulfill({ json: { ok: true } }))
  for (let sent = 0; sent < 11; sent++) {
    await page.getByRole('tab', { name: 'Request', exact: true }).click()
    await page.getByLabel('Endpoint').fill(`/v1/things/${sent}?key=secret`)
    await send(page)
    await expect(page.getByRole('button', { name: 'Send Request' })).toBeVisible()
    await see(page, 'Complete')
  }
  await page.reload()
  await page.getByRole('button', { name: 'History' }).click()
  await expect(page.getByRole('menuitem', { name: /\/v1\/things\// })).toHaveCount(10)
  await page.getByRole('menuitem', { name: '/v1/things/10' }).click()
  await expect(page.getByLabel('Endpoint')).toHaveValue('/v1/things/10')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('key=secret')
})

test('typed: there again after another screen, and after an expired session, then without credentials', async ({
  page,
  signInAsNewAccount,
}) => {
  const { username } = await signInAsNewAccount('typing')
  await openPage(page, '/')
  await page.getByLabel('Endpoint').fill('/v1/things?key=secret')
  await editor(page, 'Headers').fill('{"Authorization":"Bearer st_secret","X-Test":"1"}')
  await page.getByRole('link', { name: 'Alerts' }).click()
  await see(page, 'No alerts yet')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByLabel('Endpoint')).toHaveValue('/v1/things?key=secret')
  await page.context().clearCookies()
  await expect(page).toHaveURL('/auth')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/secret/)
  await logIn(page, username)
  await expect(page.getByLabel('Endpoint')).toHaveValue('/v1/things')
  await expect(editor(page, 'Headers')).toContainText('X-Test')
})
