import { expect, type Page } from '@playwright/test'
import {
  enlargeFont,
  escapeFrom,
  expectClipboard,
  expectNoOverlap,
  expectSearch,
  expectToFit,
  openPage,
  see,
  seeToast,
} from './support/assertions.ts'
import { fail, failureText, respond, serveTail } from './support/intercept.ts'
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

/** Opens a log by its link. @returns its details */
async function openLog(page: Page, log: ReturnType<typeof storedLog>) {
  await respond(page, 'GET', `/api/logs/${log.id}`, 200, log)
  await openPage(page, `/request-logs?log=${log.id}`)
  return page.getByRole('dialog', { name: 'Request Details' })
}

test('streamed response: as a conversation and raw; the request formatted; Send again: both stand in the tester', async ({
  page,
}) => {
  const dialog = await openLog(page, streamed)
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

test('a log that can’t be loaded: the overview has what the list knows, and says what is missing', async ({ page }) => {
  await respond(page, 'GET', '/api/logs', 200, [streamed])
  await fail(page, 'GET', `/api/logs/${streamed.id}`)
  await openPage(page, `/request-logs?log=${streamed.id}`)
  await see(page, 'Response Time', 'The details could not be loaded', failureText, 'Try again')
  await expect(page.getByText('Client Address')).toHaveCount(0)
})

test('a body that is not text: N/A says so where the other body was kept', async ({ page }) => {
  const dialog = await openLog(page, { ...storedLog('{}', ''), responseBody: null })
  await dialog.getByRole('tab', { name: 'Response' }).click()
  await see(page, 'A body that is empty, not text or too large is not kept.')
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
  const rows = (await openLog(page, log)).getByRole('listitem')
  await expect(rows.filter({ hasText: 'gpt-4o-mini' })).toContainText('tokens unknown')
  await expect(rows.filter({ hasText: 'completed' })).toContainText('1,200 in, 34 out')
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(rows.filter({ hasText: 'completed' })).toContainText('1,200 in, 34 out')
  expect(await rows.last().evaluate((row) => row.scrollWidth <= row.clientWidth)).toBe(true)
})

test('body of 5 MB: only the lines in sight are drawn', async ({ page }) => {
  const dialog = await openLog(page, large)
  await enlargeFont(page)
  await dialog.getByRole('tab', { name: 'Response' }).click()
  const lines = dialog.getByRole('region', { name: 'response body' }).locator('pre')
  await expect(lines.first()).toBeVisible()
  expect(await lines.count()).toBeLessThan(100)
  await expectNoOverlap(lines)
  expect(await lines.first().evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0)
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
  // The second press closes the toast.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('tr[data-index="1"]')).toBeFocused()
  await page.goto(link)
  await escapeFrom(page.getByRole('dialog', { name: 'Request Details' }))
  await expectSearch(page, {})
})

const listed = Array.from({ length: 21 }, (_, index) => ({ ...storedLog('', ''), endpoint: `/v1/nth/${index + 1}` }))
const nth = (position: number) => listed[position - 1]!.id

/** A history of two pages, with the details of each log. */
async function serveTwoPages(page: Page) {
  await page.route(/\/api\/logs\?/, (route) => {
    const offset = Number(new URL(route.request().url()).searchParams.get('offset'))
    const headers = { 'x-total-count': '21', 'x-total-requests': '21' }
    return route.fulfill({ json: listed.slice(offset, offset + 20), headers })
  })
  await page.route(/\/api\/logs\/[\w-]{36}$/, (route) =>
    route.fulfill({ json: listed.find(({ id }) => route.request().url().endsWith(id)) }),
  )
}

test('details at 1440 px: beside the list, which stays in use; J and K move over its pages; closed, the focus is on the row', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await serveTwoPages(page)
  await openPage(page, `/request-logs?log=${nth(19)}`)
  const details = page.getByRole('dialog', { name: 'Request Details' })
  await expect(details).toBeFocused()
  const list = await page.getByRole('grid').locator('..').boundingBox()
  const panel = await details.boundingBox()
  expect(panel!.x).toBeGreaterThanOrEqual(list!.x + list!.width)

  await details.getByRole('tab', { name: 'Headers' }).click()
  await page.keyboard.press('j')
  await expect(details).toContainText('/v1/nth/20')
  const next = details.getByRole('button', { name: 'Next request' })
  await expect(next).toBeEnabled()
  await page.keyboard.press('j')
  await expect(details).toContainText('/v1/nth/21')
  await expectSearch(page, { log: nth(21), page: '2' })
  await expect(next).toBeDisabled()
  await page.keyboard.press('k')
  await expectSearch(page, { log: nth(20) })
  await expect(details.getByRole('tab', { name: 'Headers' })).toHaveAttribute('aria-selected', 'true')

  const row = page.locator(`tr[data-log="${nth(3)}"]`)
  await row.click()
  await expect(row).toHaveAttribute('aria-current', 'true')
  await expect(details).toContainText('/v1/nth/3')
  await page.keyboard.press('j')
  await expect(details).toContainText('/v1/nth/4')
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(page.locator(`tr[data-log="${nth(4)}"]`)).toBeFocused()
})

test('details in the live tail: J and K move through it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await serveTwoPages(page)
  await serveTail(page, listed.slice(0, 3).toReversed())
  await openPage(page, '/request-logs?live=true')
  const row = page.locator(`tr[data-log="${nth(2)}"]`)
  await row.click()
  const details = page.getByRole('dialog', { name: 'Request Details' })
  await expect(details).toContainText('/v1/nth/2')
  await expect(row).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('j')
  await expect(details).toContainText('/v1/nth/3')
  await expect(details.getByRole('button', { name: 'Next request' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('k')
  await details.getByRole('button', { name: 'Previous request' }).click()
  await expect(details).toContainText('/v1/nth/1')
  await expectSearch(page, { live: 'true', log: nth(1) })
})

test('details at 390 px: over the list, with previous and next', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await serveTwoPages(page)
  await openPage(page, `/request-logs?log=${nth(1)}`)
  const details = page.getByRole('dialog', { name: 'Request Details' })
  await details.getByRole('button', { name: 'Next request' }).click()
  await expect(details).toContainText('/v1/nth/2')
  await expect(page.getByRole('heading', { name: 'Request History' })).toBeHidden()
  await expectToFit(page)
})

test('conversation: messages, tool calls and images by name, of which none is loaded', async ({ page }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).hostname))
  const image = { type: 'image_url', image_url: { url: 'https://images.example.com/cat.png' } }
  const messages = [{ role: 'user', content: [{ type: 'text', text: '<b>What</b> is this?' }, image] }]
  const calls = [{ function: { name: 'look', arguments: '{"at":"cat"}' } }]
  const choices = [{ message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: 'tool_calls' }]
  const log = storedLog(JSON.stringify({ model: 'gpt-4o', messages }), JSON.stringify({ choices }))
  const details = await openLog(page, log)
  await details.getByRole('tab', { name: 'Request' }).click()
  const message = details.getByRole('list', { name: 'Request body as a conversation' }).getByRole('listitem')
  await expect(message).toHaveText('User<b>What</b> is this?Image: https://images.example.com/cat.png')
  await details.getByText('Formatted', { exact: true }).click()
  await expect(details.getByText('"model": "gpt-4o"')).toBeVisible()
  await details.getByRole('tab', { name: 'Response' }).click()
  await expect(details.getByRole('region', { name: 'arguments of look' })).toHaveText(/"at": "cat"/)
  expect([...hosts]).toEqual([new URL(page.url()).hostname])
})

const cutRequests = [
  {
    part: 'query',
    log: { ...storedLog('', ''), query: `${'a'.repeat(4_095)}…` },
    at: '4,096 characters',
  },
  {
    part: 'body',
    log: { ...storedLog('{"messages":[{"role":"user","content":"A long st', ''), requestBytes: 5_200_000 },
    at: '256 KiB of 5.2 MB',
  },
]

for (const { part, log, at } of cutRequests)
  test(`cut ${part}: says so, is copied with a warning, and can’t be sent again`, async ({ page }) => {
    const details = await openLog(page, log)
    if (part === 'body') {
      await details.getByRole('tab', { name: 'Request' }).click()
      await expect(details.getByText('A long st', { exact: true })).toBeVisible()
    }
    await expect(details.getByRole('note')).toContainText(`Cut at ${at}`)
    await expect(details.getByRole('button', { name: 'Send again' })).toBeDisabled()
    await see(page, `Can’t be sent again: its ${part} was cut at ${at}.`)
    await details.getByRole('button', { name: 'Copy as cURL' }).click()
    await expectClipboard(page, expect.stringContaining(`# The logged ${part} was cut at ${at}`))
  })
