import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

const editor = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const send = (page: Page) => page.getByRole('button', { name: 'Send Request' }).click()

export const requestTesterRows = checklist('Request tester', { as: 'sender', path: '/' }, [
  [
    'opened',
    'POST /v1/chat/completions with gpt-4o and messages',
    '§2, §9',
    async ({ page }) => {
      await see(page, 'API Request Tester', 'Request', 'Response')
      await settles(() => page.getByLabel('Method').inputValue(), 'POST')
      expect(await page.getByLabel('Endpoint').inputValue()).toBe('/v1/chat/completions')
      await settles(async () => /gpt-4o.*messages/.test((await editor(page, 'Body').textContent()) ?? ''), true)
    },
  ],
  [
    'opened',
    'methods POST, GET, PUT, DELETE; suggestions for the endpoint',
    '§2, decisions, Screens',
    async ({ page }) => {
      await page.getByLabel('Method').waitFor()
      await settles(
        () => page.getByLabel('Method').locator('option').allTextContents(),
        ['POST', 'GET', 'PUT', 'DELETE'],
      )
      expect(await page.locator('datalist option').count()).toBeGreaterThan(3)
    },
  ],
  [
    'request sent',
    'toast Request Sent / Response: {status}, answer with time and status, seen in the logs',
    '§8, decisions, Screens',
    async ({ page }) => {
      await send(page)
      await seeToast(page, 'Request Sent', 'Response: 200')
      await see(page, 'Complete', 'First byte')
      await page.getByText('chat.completion').first().waitFor()
      await page
        .getByRole('button', { name: /POST \/v1\/chat\/completions/ })
        .first()
        .waitFor({ timeout: 15_000 })
    },
  ],
  [
    'GET chosen',
    'no body is sent',
    '§5',
    async ({ page }) => {
      await page.getByLabel('Method').selectOption('GET')
      await see(page, 'GET sends no body.')
      await page.getByLabel('Endpoint').fill('/v1/models/gpt-4o')
      const request = page.waitForRequest('**/api/proxy/v1/models/gpt-4o')
      await send(page)
      expect((await request).postData()).toBeNull()
      await seeToast(page, 'Request Sent')
    },
  ],
  [
    'headers not JSON',
    'marked, and the send fails with its toast; nothing is sent',
    '§5, §8',
    async ({ page }) => {
      await editor(page, 'Headers').fill('{"X-Test":')
      await page.getByText(/^Not valid JSON/).waitFor()
      await page.locator('.cm-lint-marker-error').waitFor()
      const calls = watchCalls(page)
      await send(page)
      await seeToast(page, 'Request Failed', 'Failed to send test request')
      expect(calls.filter((call) => call.includes('/api/proxy/'))).toEqual([])
    },
  ],
  [
    'endpoint that leads out of the proxy',
    'row 69: said at the field, and nothing is sent',
    '§2, §8',
    async ({ page }) => {
      const calls = watchCalls(page)
      for (const endpoint of [
        '/../user/account',
        '//host/v1',
        String.raw`/v1\..\x`,
        '/v1/%2e%2e/x',
        'http://host/v1/x',
      ]) {
        await page.getByLabel('Endpoint').fill(endpoint)
        await page.getByText(/^Enter a path of the provider/).waitFor()
        await send(page)
        await seeToast(page, 'Request Failed', 'Failed to send test request')
      }
      expect(calls.filter((call) => call.includes('/user/account') || call.includes('/api/proxy/'))).toEqual([])
    },
  ],
  [
    'gateway does not answer',
    'toast Request Failed / Failed to send test request',
    '§8',
    async ({ page }) => {
      await page.route('**/api/proxy/v1/**', (route) => route.abort())
      await send(page)
      await seeToast(page, 'Request Failed', 'Failed to send test request')
    },
  ],
  [
    'provider refuses',
    'toast with the status, the error as answer',
    '§7',
    async ({ page }) => {
      await editor(page, 'Headers').fill('{"Authorization":"Bearer st_wrong"}')
      await send(page)
      await seeToast(page, 'Request Sent', 'Response: 401')
      await page.getByText('invalid_token').first().waitFor()
    },
  ],
  [
    'answer streams',
    'shown as it arrives, can be stopped',
    'decisions, Screens',
    async ({ page }) => {
      await editor(page, 'Body').fill('{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi"}]}')
      await page.keyboard.press('Control+Enter')
      const text = page.getByLabel('streamed text', { exact: true })
      await text.waitFor()
      const early = (await text.textContent())?.length ?? 0
      await see(page, 'Receiving…')
      await expect.poll(async () => (await text.textContent())?.length ?? 0).toBeGreaterThan(early)
      await page.getByRole('button', { name: 'Stop' }).click()
      await see(page, 'Stopped by you')
    },
  ],
  [
    'requests sent before',
    'history of the last ten, kept in the browser, fills the form',
    'decisions, Screens',
    async ({ page }) => {
      await page.route('**/api/proxy/v1/**', (route) => route.fulfill({ json: { ok: true } }))
      for (let sent = 0; sent < 11; sent++) {
        await page.getByRole('tab', { name: 'Request', exact: true }).click()
        await page.getByLabel('Endpoint').fill(`/v1/things/${sent}`)
        await send(page)
        await page.getByRole('button', { name: 'Send Request' }).waitFor()
        await see(page, 'Complete')
      }
      await page.reload()
      await page.getByRole('button', { name: 'History' }).click()
      await settles(() => page.getByRole('menuitem', { name: /\/v1\/things\// }).count(), 10)
      await page.getByRole('menuitem', { name: '/v1/things/10' }).click()
      await settles(() => page.getByLabel('Endpoint').inputValue(), '/v1/things/10')
    },
  ],
  [
    'Copy as cURL pressed',
    'a command for a shell, without the session',
    'decisions, Screens',
    async ({ page, url }) => {
      await page.getByRole('button', { name: 'Copy as cURL' }).click()
      await seeToast(page, 'Copied as cURL')
      const command = await page.evaluate(() => navigator.clipboard.readText())
      expect(command).toContain(`curl -X POST '${url}/api/proxy/v1/chat/completions'`)
      expect(command).toContain('Bearer st_your_token')
    },
  ],
])
