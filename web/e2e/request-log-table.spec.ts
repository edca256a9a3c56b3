import { expect } from '@playwright/test'
import { escapeFrom, expectClipboard, expectSearch, openPage, see, seeToast } from './support/assertions.ts'
import { serveTail } from './support/intercept.ts'
import { tailedLogs } from './support/samples.ts'
import { test } from './support/test.ts'

test('columns and density chosen: shown at once, and there after a reload', async ({ page }) => {
  await openPage(page, '/request-logs')
  const rowHeight = async () => (await page.locator('tr[data-index="0"]').boundingBox())?.height
  const column = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await expect(column('Model')).toBeVisible()
  await expect.poll(rowHeight).toEqual(36)
  await page.getByRole('button', { name: 'Columns and density' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Model' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Outcome' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Dense rows' }).click()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect.poll(rowHeight).toEqual(28)
  await expect(column('Model')).toHaveCount(0)
  await expect(column('Outcome')).toBeVisible()
})

test('columns resized and moved by keyboard and mouse: at once, after a reload, and in the link; unknown ones in it are named until dismissed', async ({
  page,
  context,
}) => {
  await openPage(page, '/request-logs')
  const heads = page.getByRole('grid').getByRole('columnheader')
  await expect(heads).toHaveText([
    'Status',
    'Method',
    'Endpoint',
    'Model',
    'Tokens',
    'Cost',
    'Response time',
    'Timestamp',
    'Actions',
  ])
  await page.getByRole('slider', { name: 'Width of Model' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(heads.nth(1)).toHaveText('Model')
  await expect(page.getByRole('slider', { name: 'Width of Model' })).toBeFocused()
  await heads.filter({ hasText: 'Cost' }).dragTo(heads.filter({ hasText: 'Status' }))
  const columns = 'cost,status,model:152,method,endpoint,tokens,responseTime,time'
  await expectSearch(page, { columns })
  const edge = (await page.getByRole('slider', { name: 'Width of Cost' }).boundingBox())!
  for (const [button, by] of [
    ['right', 90],
    ['left', 40],
  ] as const) {
    await page.mouse.move(edge.x + 3, edge.y + 5)
    await page.mouse.down({ button })
    await page.mouse.move(edge.x + 3 + by, edge.y + 5)
    await page.mouse.up({ button })
  }
  await expect.poll(() => new URL(page.url()).searchParams.get('columns')).toMatch(/^cost:14\d,status,/)
  await page.goto('/request-logs')
  await expect(heads.first()).toHaveText('Cost')
  const other = await (await context.browser()!.newContext({ storageState: await context.storageState() })).newPage()
  await openPage(other, '/request-logs?columns=time,tags,nonsense')
  await expect(other.getByRole('grid').getByRole('columnheader').first()).toHaveText('Timestamp')
  await expect(other.getByRole('columnheader', { name: 'Tags' })).toBeVisible()
  await expect(other.getByText('columns: shown with the default instead.')).toBeVisible()
  await other.getByRole('button', { name: 'Dismiss' }).click()
  await expect(other.getByText('columns: shown')).toBeHidden()
  expect(other.url()).not.toContain('nonsense')
  await other.context().close()
})

test('a column pressed, and pressed again: its two orders, for assistive technology too, in the address', async ({
  page,
}) => {
  await openPage(page, '/request-logs')
  const column = (name: string) => page.getByRole('columnheader', { name })
  await expect(column('Timestamp')).toHaveAttribute('aria-sort', 'descending')
  await expect(column('Response time')).toHaveAttribute('aria-sort', 'none')
  for (const [name, search, order] of [
    ['Response time', { sort: 'slowest' }, 'descending'],
    ['Response time', { sort: 'fastest' }, 'ascending'],
    ['Timestamp', {}, 'descending'],
    ['Timestamp', { sort: 'oldest' }, 'ascending'],
  ] as const) {
    await column(name).getByRole('button').click()
    await expectSearch(page, search)
    await expect(column(name)).toHaveAttribute('aria-sort', order)
    await see(page, 'Showing 1-2 of 2')
  }
})

test('view saved: in the account under its name, opened there and by its link, which says so once it is deleted', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('analyst')
  await openPage(page, '/request-logs?status=error&model=gpt-4o&page=2')
  const menu = page.getByRole('button', { name: 'Saved views' })
  await menu.click()
  await page.getByLabel('Name of the current view').fill('Rejected')
  await page.keyboard.press('Enter')
  await seeToast(page, 'View saved', 'Rejected')
  await page.goto('/request-logs')
  await menu.click()
  await page.getByRole('button', { name: 'Rejected', exact: true }).click()
  await expectSearch(page, { status: 'error', model: 'gpt-4o' })

  await menu.click()
  await page.getByRole('button', { name: 'Copy the link to Rejected' }).click()
  await expectClipboard(page, expect.stringMatching(/\/request-logs\?view=[\w-]{36}$/))
  await seeToast(page, 'Copied to clipboard')
  await escapeFrom(page.getByRole('dialog', { name: 'Saved views' }))
  await expect(menu).toBeFocused()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await openPage(page, link)
  await expectSearch(page, { status: 'error', model: 'gpt-4o' })

  await menu.click()
  await page.getByRole('button', { name: 'Delete the view Rejected' }).click()
  await expect(page.getByText('give the view a name')).toBeVisible()
  await expect(page.getByLabel('Name of the current view')).toBeFocused()
  await openPage(page, link)
  await see(page, 'This view does not exist', '0 requests found')
})

test('views of an earlier version: moved from the browser to the account; what can not be read is named', async ({
  page,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('analyst')
  await openPage(page, '/request-logs')
  const { id } = await (await page.request.get('/api/user')).json()
  const key = `sallyport.logs.views.${id}`
  const kept = JSON.stringify([{ name: 'From the browser', search: { status: 'teapot', model: 'o3' } }])
  await page.evaluate(([name, value]) => localStorage.setItem(name!, value!), [key, kept])
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByRole('button', { name: 'From the browser', exact: true }).click()
  await see(page, 'Part of this link could not be read', 'Model o3')
  expect(await page.evaluate((name) => localStorage.getItem(name), key)).toBeNull()
})

test('link with every filter: reproduces the view: sent in the call, and each with a way out', async ({ page }) => {
  await openPage(
    page,
    '/request-logs?search=chat&status=success&method=POST&range=7d&model=gpt-4o&token=none&key=none&statusCode=200&maxTime=9000&outcome=completed',
  )
  await see(page, 'Last 7 days', 'Model gpt-4o', 'Token none', 'Key none', 'Status 200', 'At most 9,000 ms')
  await expect(page.getByPlaceholder('Search requests...')).toHaveValue('chat')
  await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('POST')
  const refreshed = page.waitForRequest('**/api/logs?*')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const params = new URL((await refreshed).url()).searchParams
  expect(Object.fromEntries(params)).toMatchObject({
    search: 'chat',
    status: 'success',
    method: 'POST',
    timeRange: '7d',
    model: 'gpt-4o',
    token: 'none',
    key: 'none',
    statusCode: '200',
    maxResponseTime: '9000',
  })
  await page.getByRole('button', { name: 'Clear all' }).click()
  await see(page, '2 requests found')
})

test('live tail scrolled: only rows in sight are drawn; it holds still until Resume', async ({ page }) => {
  const [first, ...rest] = tailedLogs
  await serveTail(page, [{ ...first, requestCount: 3 }, ...rest])
  await openPage(page, '/request-logs?live=true')
  await see(page, '502 requests since the tail began')
  expect(await page.locator('tr[data-index]').count()).toBeLessThan(60)
  await page.locator('tr[data-index="3"]').hover()
  await page.mouse.wheel(0, 4_000)
  await see(page, 'Paused')
  await expect(page.locator('tr[data-index="120"]')).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).press('Enter')
  await expect(page.locator('tr[data-index="0"]')).toBeVisible()
  await expect(page.getByText('Paused')).toBeHidden()
  await expect(page.getByRole('grid')).toBeFocused()
})

test.describe('of a new account', () => {
  test.use({ visitor: 'newcomer' })

  test('live tail rejected: says so, and tries again when asked to; then it waits for requests', async ({ page }) => {
    await page.route('**/api/logs/tail?*', (route) => route.fulfill({ status: 502, body: '' }), { times: 1 })
    await openPage(page, '/request-logs')
    await page.getByRole('button', { name: 'Live tail' }).click()
    await see(page, 'Connection lost', 'The gateway did not take the connection. Try again in a moment.')
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await see(page, 'Live', 'Waiting for requests')
    await expect(page.locator('#main')).toBeFocused()
  })
})

test('a browser that shows no font below 20 px: costs are whole', async ({ page }) => {
  await openPage(page, '/api-keys')
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('body, body * { font-size: 20px !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  await page.getByRole('link', { name: 'Request Logs' }).click()
  const cost = page.getByRole('gridcell', { name: '$0.000385' }).first()
  await expect(cost).toBeVisible()
  expect(await cost.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)
})
