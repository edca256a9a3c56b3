import { expect } from '@playwright/test'
import { escapeFrom, expectSearch, openPage, see, watchCalls } from './support/assertions.ts'
import { newContext, test } from './support/test.ts'

test('sorted and narrowed by time and endpoint: in the address, with a way out; a search without results says so', async ({
  page,
}) => {
  await openPage(page, '/request-logs?sort=oldest&minTime=0&maxTime=60000')
  await see(page, '2 requests found', 'Showing 1-2 of 2', 'At least 0 ms', 'At most 60,000 ms')
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByRole('button', { name: 'More filters' }).click()
  const endpoint = page.getByRole('region', { name: 'More filters' }).getByLabel('Endpoint')
  await endpoint.fill('/v1/embeddings')
  await endpoint.press('Enter')
  await see(page, '0 requests found')
  await expectSearch(page, { sort: 'oldest', endpoint: '/v1/embeddings' })
  await page.getByRole('button', { name: 'Endpoint /v1/embeddings' }).click()
  await see(page, '2 requests found')
  await endpoint.fill('/v1/chat/completions')
  await endpoint.press('Enter')
  await see(page, '2 requests found')
  await page
    .getByRole('region', { name: 'More filters' })
    .getByLabel('Retries')
    .selectOption('Failed over to another key')
  await see(page, '0 requests found')
  await page.getByRole('button', { name: 'Failed over' }).click()
  await see(page, '2 requests found')
  await page.getByPlaceholder('Search requests...').fill('nothingislikethis')
  await see(page, 'No Request Logs', 'No requests match your current filters')
})

test('dates typed into a custom range: a part of one changes nothing, From after To says so and keeps both', async ({
  page,
}) => {
  const to = '2026-11-20T10:00:00.000Z'
  await openPage(page, `/request-logs?from=2026-01-05T10:00:00.000Z&to=${to}`)
  await page.getByRole('button', { name: 'More filters' }).click()
  const from = page.getByLabel(/^From, /)
  await from.focus()
  // On a slow machine the next part is typed before the list has the range.
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  await page.keyboard.type('11')
  await Promise.all(['Enter', 'Backspace', 'Enter'].map((key) => page.keyboard.press(key)))
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await see(page, 'Enter a whole date and time')
  await expectSearch(page, { from: '2026-11-05T10:00:00.000Z', to })
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await see(page, 'The range ends before it begins')
  await expect(from).toHaveValue('2026-11-25T10:00')
  await expect(page.getByLabel(/^To, /)).toHaveValue('2026-11-20T10:00')
  await expectSearch(page, { from: '2026-11-05T10:00:00.000Z', to })
})

test('filters that can’t be used: said at the field, not sent, and the list stays', async ({ page }) => {
  await openPage(page, '/request-logs')
  const calls = watchCalls(page)
  await page.getByRole('button', { name: 'More filters' }).click()
  const code = page.getByLabel('Status code')
  await code.fill('42')
  await code.press('Enter')
  await see(page, 'Expected a status code such as 429', '2 requests found')
  await code.fill('')
  await expect(page.getByText('Expected a status code such as 429')).toBeHidden()
  await page.getByLabel('Slower than, ms').fill('9')
  await page.getByLabel('Faster than, ms').fill('8')
  await see(page, 'The longest response time is below the shortest')
  for (const path of ['/request-logs', '/analytics?view=measured']) {
    await openPage(page, `${path}${path.includes('?') ? '&' : '?'}minTime=9&maxTime=8`)
    await see(page, 'The longest response time is below the shortest', 'These filters can’t be used')
  }
  expect(calls.filter((call) => /statusCode|maxResponseTime/.test(call))).toEqual([])
})

test('two filters changed before either is in the address: both are', async ({ page }) => {
  await openPage(page, '/request-logs')
  await page.getByRole('button', { name: 'More filters' }).click()
  const fields = page.getByLabel(/^(Slower|Faster) than, ms$/)
  await fields.evaluateAll((inputs: HTMLInputElement[]) => {
    for (const [index, input] of inputs.entries()) {
      // React ignores a value that is set without the setter of the class.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, String(index + 1))
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
  await fields.evaluateAll((inputs) => {
    for (const input of inputs) input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
  await expectSearch(page, { minTime: '1', maxTime: '2' })
})

test('values: counted by name, several chosen and excluded, in the address; a drawer on a phone', async ({ page }) => {
  await openPage(page, '/request-logs')
  await page.getByRole('button', { name: 'Values' }).click()
  const status = page.getByRole('region', { name: 'Status' })
  await expect(status.getByRole('listitem')).toHaveText(['2002'])
  await status.getByLabel('200').click()
  await expectSearch(page, { statusCode: '200' })
  await see(page, '2 requests found', 'Status 200')
  await status.getByLabel('Exclude these').click()
  await see(page, '0 requests found', 'Status not 200')
  await expectSearch(page, { statusCode: '200', not: 'statusCode' })
  await expect(status.getByRole('listitem')).toHaveText(['2002'])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Values' }).click()
  const drawer = page.getByRole('dialog', { name: 'Values' })
  await drawer.getByRole('region', { name: 'Status' }).getByLabel('200').click()
  await expectSearch(page, {})
  await escapeFrom(drawer)
  await see(page, '2 requests found')
})

test('a pause between two words: the blank stays, and both are searched for; part of a word: found, and how far back is said where it was cut', async ({
  page,
}) => {
  await openPage(page, '/request-logs')
  const search = page.getByPlaceholder('Search requests...')
  await search.pressSequentially('rate ')
  await see(page, '0 requests found')
  await expectSearch(page, { search: 'rate' })
  await search.pressSequentially('limit')
  await expect(search).toHaveValue('rate limit')
  await expectSearch(page, { search: 'rate limit' })
  await search.fill('ompletio')
  await see(page, '2 requests found')
  await page.route('**/api/logs?*', async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), 'x-searched-from': '2026-11-20T10:00:00.000Z' }
    await route.fulfill({ response, headers })
  })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Searched parts of words back to Nov 20, 2026')).toBeVisible()
})

test('several status codes are typed as they are shown; an excluded filter emptied or set to Any: what is chosen next is not excluded', async ({
  page,
}) => {
  await openPage(page, '/request-logs?model=o3&statusCode=429,500&outcome=completed&not=model,statusCode,outcome')
  const more = page.getByRole('button', { name: 'More filters' })
  await expect(more).toHaveText('More filters3')
  await more.click()
  const filters = page.getByRole('region', { name: 'More filters' })
  const code = filters.getByLabel('Status code')
  await expect(code).toHaveValue('429,500')
  await code.fill('429, 500, 503')
  await code.press('Enter')
  await filters.getByLabel('Model').fill('')
  await expectSearch(page, { statusCode: '429,500,503', outcome: 'completed', not: 'statusCode,outcome' })
  await filters.getByLabel('Outcome').selectOption('Any')
  await code.fill('')
  await expectSearch(page, {})
  await code.fill('200')
  await see(page, 'Status 200', '2 requests found')
  await code.fill('42')
  await see(page, 'Expected a status code such as 429')
  await page.getByRole('button', { name: /^Status 200/ }).click()
  await expect(code).toHaveValue('')
  await expect(page.getByText('Expected a status code such as 429')).toBeHidden()
})

test(
  'characters composed from several keys: searched for once they are chosen, or after a longer pause',
  newContext,
  async ({ page }) => {
    await page.clock.install()
    await openPage(page, '/request-logs')
    await see(page, '2 requests found')
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await page.getByPlaceholder('Search requests...').focus()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Input.imeSetComposition', { text: 'ni hao', selectionStart: 6, selectionEnd: 6 })
    await page.clock.runFor(1_000)
    await expectSearch(page, {})
    await devtools.send('Input.insertText', { text: '你好' })
    await page.clock.runFor(1_000)
    await expectSearch(page, { search: '你好' })
    // Keyboards of Android compose each word, and end it with a space.
    await devtools.send('Input.imeSetComposition', { text: 'rate', selectionStart: 4, selectionEnd: 4 })
    await page.clock.runFor(1_500)
    await expectSearch(page, { search: '你好rate' })
  },
)
