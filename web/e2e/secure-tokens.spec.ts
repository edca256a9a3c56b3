import { expect, type Locator, type Page } from '@playwright/test'
import OpenAI from 'openai'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { confirmPassword } from './support/accounts.ts'
import { escapeFrom, expectClipboard, openPage, see, seeToast } from './support/assertions.ts'
import { fail, failureText, hold, respond, respondWithProblem } from './support/intercept.ts'
import { tokensOfEveryState } from './support/samples.ts'
import { test } from './support/test.ts'

/** The only place where a token is shown in full. */
const oneTimeToken = (dialog: Locator) => dialog.getByText(/^st_\w{38}$/)

test('with a token: info alert, masked; copied; toggled and back; a failed change is reported', async ({
  page,
  origin,
  account,
}) => {
  await confirmPassword(page, origin)
  await openPage(page, '/secure-tokens')
  await expect(page.getByRole('note').first()).toBeVisible()
  await expect(page.locator('body')).not.toContainText(account.token)
  await page.getByRole('button', { name: 'Copy the full token Backend' }).click()
  await seeToast(page, 'Token copied')
  await expectClipboard(page, account.token)
  const toggle = page.getByRole('switch', { name: 'Backend is active' })
  await toggle.click()
  await seeToast(page, 'Token updated')
  await see(page, 'Inactive')
  await toggle.click()
  await see(page, 'Active')
  await page.route('**/toggle', (route) => route.fulfill({ status: 500, body: '' }))
  await toggle.click()
  await seeToast(page, 'Failed to update token', '500: Internal Server Error')
  await page.route('**/reveal', (route) => route.fulfill({ status: 503, body: '' }))
  await page.getByRole('button', { name: 'Copy the full token Backend' }).click()
  await seeToast(page, 'Failed to retrieve and copy the full token')
  await page.route('**/api/tokens/*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Edit Backend' }).click()
  await page.getByLabel('Token Name').fill('Frontend')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await seeToast(page, 'Failed to update token', '500: Internal Server Error')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete Backend' }).click()
  await page.getByRole('button', { name: 'Delete Token' }).click()
  await seeToast(page, 'Failed to delete token')
})

test('deleted in another tab: a change says so, the token leaves the list, and the focus stays there', async ({
  page,
}) => {
  const [token, other, , expired] = tokensOfEveryState as [SecureToken, SecureToken, SecureToken, SecureToken]
  await respond(page, 'GET', '/api/tokens', 200, [token, expired, other])
  await openPage(page, '/secure-tokens')
  await see(page, token.name)
  await respond(page, 'GET', '/api/tokens', 200, [expired, other])
  await respondWithProblem(page, 'PUT', `/api/tokens/${token.id}/toggle`, 'not-found')
  await respondWithProblem(page, 'PUT', `/api/tokens/${other.id}/toggle`, 'not-found')
  await page.getByRole('switch').first().press('Space')
  await seeToast(page, 'Failed to update token', /may have been deleted/)
  await expect(page.getByRole('switch')).toHaveCount(2)
  // The toggle of an expired one is disabled.
  await expect(page.getByRole('button', { name: 'Edit Gone' })).toBeFocused()
  await respond(page, 'GET', '/api/tokens', 200, [])
  await page.getByRole('switch').last().press('Space')
  await see(page, 'No secure tokens yet')
  await expect(page.locator('#main')).toBeFocused()
})

test('tokens of every state: Active, Inactive, Expired, budgets; the toggle of an expired one is disabled', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/tokens', 200, tokensOfEveryState)
  await openPage(page, '/secure-tokens')
  await see(page, 'Active', 'Inactive', 'Expired', '84% spent', 'All spent')
  await see(page, '$4.20 spent, $0.30 reserved, $0.50 left', '$20.00 spent, $0.00003 reserved, $0.00 left')
  await expect(page.getByRole('switch', { name: 'Gone is active' })).toBeDisabled()
  await expect(page.getByRole('switch', { name: 'Sleeping is active' })).toBeEnabled()
  await page.setViewportSize({ width: 320, height: 600 })
  for (const fact of await page.locator('dl dd').all())
    expect(await fact.evaluate((value) => value.scrollWidth - value.clientWidth)).toBe(0)
})

/** Responds in pages of 50, as the gateway does. */
const serveTokens = (page: Page, tokens: readonly SecureToken[]) =>
  page.route(
    (url) => url.pathname === '/api/tokens',
    async (route) => {
      const { searchParams } = new URL(route.request().url())
      const [search, ids] = [searchParams.get('search'), searchParams.get('id')]
      const found = tokens.filter(({ id, name }) => (!search || name.includes(search)) && (!ids || ids.includes(id)))
      const start = Number(searchParams.get('cursor'))
      const next = start + 50 < found.length && { 'x-next-cursor': `${start + 50}` }
      const headers = { 'x-total-count': `${found.length}`, ...next }
      await route.fulfill({ json: found.slice(start, start + 50), headers })
    },
  )

const customers = Array.from({ length: 120 }, (_, at) => ({
  ...tokensOfEveryState[0]!,
  id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  name: `Customer ${at}`,
}))

test('many tokens: shown in pages, and searched beyond the first; a search that fails says so', async ({ page }) => {
  await serveTokens(page, customers)
  await openPage(page, '/secure-tokens')
  await see(page, '50 of 120')
  await page.getByRole('button', { name: 'Show more' }).click()
  await see(page, '100 of 120', 'Customer 99')
  const search = page.getByPlaceholder('Search 120 secure tokens')
  await search.fill('Customer 119')
  await expect(page.getByRole('heading', { name: /^Customer/ })).toHaveText(['Customer 119'])
  await search.fill('Nobody')
  await see(page, 'Nothing goes by that name.')
  await fail(page, 'GET', '/api/tokens')
  await search.fill('Customer 11')
  await see(page, 'The secure tokens could not be searched', failureText)
  await serveTokens(page, customers)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: /^Customer/ })).toHaveCount(11)
})

test('many tokens: one is found and chosen with the keyboard, and its name is shown beyond the first page', async ({
  page,
}) => {
  await serveTokens(page, customers)
  await openPage(page, '/request-logs')
  await page.getByRole('button', { name: /^More filters/ }).click()
  const filter = page.getByRole('button', { name: 'Token', exact: true })
  await expect(filter).toHaveAccessibleDescription('Any')
  await filter.press('Enter')
  const list = page.getByRole('dialog', { name: 'Secure tokens' })
  await expect(list.getByRole('option')).toHaveCount(52)
  await expect(list).toContainText('70 more: type a part of the name.')
  const release = await hold(page, 'GET', '/api/tokens')
  await page.keyboard.type('Customer 11')
  // Enter would choose among those that match, even before the others arrive.
  await expect(list.getByRole('option')).toHaveText(['Customer 11'])
  release()
  await expect(list.getByRole('option')).toHaveCount(11)
  await page.keyboard.press('ArrowDown')
  await expect(list.getByRole('option', { selected: true })).toHaveText('Customer 110')
  await page.keyboard.press('Enter')
  await expect(list).toBeHidden()
  await expect(filter).toBeFocused()
  await expect(filter).toHaveText('Customer 110')
  await see(page, 'Token Customer 110')
  await page.reload()
  await see(page, 'Token Customer 110')
})

test('create: without a name, with an expiry in the past, beyond the limit of the plan: rejected with what to do', async ({
  page,
}) => {
  await openPage(page, '/secure-tokens')
  await page.getByRole('button', { name: 'Create Token' }).click()
  const create = () => page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
  await create()
  await seeToast(page, 'Name required', 'Please enter a name for your secure token')
  await page.getByLabel('Token Name').fill('Second')
  const expiry = page.getByLabel('Expiry Date')
  await expect(expiry).toHaveAttribute('min', /^\d{4}-\d\d-\d\d$/)
  await expiry.fill('2020-01-01')
  await create()
  await see(page, 'The expiry date must be today or later')
  await expiry.fill('')
  await create()
  await seeToast(page, 'Failed to create token', /Delete one or change the plan/)
})

test('edited: opens as it is; what can’t be is rejected at its field; only what was changed is sent; a cleared restriction is lifted; the toggle stays', async ({
  page,
}) => {
  await openPage(page, '/secure-tokens')
  const dialog = page.getByRole('dialog', { name: 'Edit Secure Token' })
  await page.getByRole('button', { name: 'Edit Backend' }).click()
  await page.getByLabel('Token Name').fill(' ')
  await page.getByLabel('Monthly Budget (USD)').fill('-1')
  await page.getByLabel('Allowed Addresses').fill('10.0.0.1, home')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await seeToast(page, 'Name required', 'Please enter a name for your secure token')
  await see(page, 'Monthly budget must be between 0 and 1000000 USD, with at most 4 decimals')
  await see(page, 'Allowed addresses must be IP addresses or CIDR ranges')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const bodies: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && bodies.push(request.postData() ?? ''))
  const save = async (label: string, text: string) => {
    await page.getByRole('button', { name: 'Edit Backend' }).click()
    await expect(dialog.getByLabel('Token Name')).toHaveValue('Backend')
    await expect(dialog.getByRole('button', { name: 'Save Changes' })).toBeDisabled()
    await dialog.getByLabel(label).fill(text)
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog).toBeHidden()
  }
  await save('Models', 'gpt-4o, gpt-4o-mini')
  await seeToast(page, 'Token updated')
  await save('Monthly Budget (USD)', '12.5')
  await see(page, 'gpt-4o, gpt-4o-mini', '$12.50', 'Active')
  await save('Models', '')
  await save('Monthly Budget (USD)', '')
  await expect(page.getByText('Monthly budget', { exact: true })).toHaveCount(0)
  expect(bodies.map((body) => JSON.parse(body))).toEqual([
    { models: ['gpt-4o', 'gpt-4o-mini'] },
    { monthlyBudgetUsd: 12.5 },
    { models: null },
    { monthlyBudgetUsd: null },
  ])
})

test.describe('with room for a token', () => {
  test.use({ visitor: 'sender' })

  test('created, shown once, its first request awaited, deleted: toasts; the dialog and the form reset', async ({
    page,
    origin,
  }) => {
    await openPage(page, '/secure-tokens?dialog=create')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Token Name').fill('Fresh')
    await dialog.getByRole('button', { name: 'Create Token' }).click()
    await seeToast(page, 'Secure token created')
    await see(page, 'This token will not be shown again.')
    const token = await oneTimeToken(dialog).innerText()
    await page.mouse.click(5, 5)
    await dialog.getByRole('tab', { name: 'Node.js' }).click()
    await expect(dialog.getByLabel('Node.js example', { exact: true })).toContainText(
      `apiKey: 'st_••••••••${token.slice(-4)}'`,
    )
    await dialog.getByRole('button', { name: 'Copy Node.js example' }).click()
    await expectClipboard(page, expect.stringContaining(`apiKey: '${token}'`))
    await expect(dialog.getByText('Waiting for the first request…')).toBeVisible()
    await new OpenAI({ baseURL: `${origin}/api/proxy/v1`, apiKey: token }).models.list()
    await expect(dialog.getByRole('link', { name: 'Open the log' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Create secure token' }).click()
    await expect(dialog.getByLabel('Token Name')).toHaveValue('')
    await escapeFrom(dialog)
    await page.getByRole('button', { name: 'Delete Fresh' }).click()
    await page.getByRole('button', { name: 'Delete Token' }).click()
    await seeToast(page, 'Token deleted')
  })

  test('created with limits, rotated once by two clicks, the previous secret ended early; bodies logged for an hour, ended early', async ({
    page,
    origin,
  }) => {
    await confirmPassword(page, origin)
    await openPage(page, '/secure-tokens?dialog=create')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Token Name').fill('Limited')
    await dialog.getByText('Limits', { exact: true }).click()
    await dialog.getByLabel('Requests per Minute').fill('1e309')
    await dialog.getByLabel('Requests at Once').fill('0')
    await page.keyboard.press('Enter')
    await see(page, 'Requests per minute must be a whole number from 1 to 999999999')
    await see(page, 'Requests at once must be a whole number from 1 to 999999999')
    await dialog.getByLabel('Requests per Minute').fill('1200')
    await dialog.getByLabel('Requests at Once').fill('2')
    await dialog.getByLabel('Daily Budget (USD)').fill('5')
    await page.keyboard.press('Enter')
    await seeToast(page, 'Secure token created')
    const first = await oneTimeToken(dialog).innerText()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await see(page, '1,200 requests a minute, 2 at once', '$5.00')

    await page.getByRole('button', { name: 'Rotate Limited' }).press('Enter')
    await dialog.getByLabel('Grace Time').selectOption('7 days')
    const rotate = dialog.getByRole('button', { name: 'Rotate Token' })
    // As on a busy device: a second rotation would end the secret that clients use.
    await rotate.evaluate((button: HTMLElement) => [button, button].forEach((each) => each.click()))
    await seeToast(page, 'Token rotated')
    await see(page, 'This token will not be shown again.')
    const done = dialog.getByRole('button', { name: 'Done' })
    // The second click of a double click, now that the button is where the other one was.
    await done.dispatchEvent('click', { detail: 2 })
    await expect(oneTimeToken(dialog)).not.toHaveText(first)
    await done.press('Enter')
    await see(page, 'not used since the rotation.', `st_••••••••${first.slice(-4)}`)
    await page.getByRole('button', { name: 'Rotate Limited' }).click()
    await expect(dialog).toContainText('a token has at most two')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'End Now: previous secret of Limited' }).press('Enter')
    await page.getByRole('button', { name: 'End Secret' }).press('Enter')
    await seeToast(page, 'Token updated')
    await expect(page.getByText('Previous secret')).toHaveCount(0)
    await expect(page.getByRole('switch', { name: 'Limited is active' })).toBeFocused()
    await page.getByRole('button', { name: 'Log bodies of Limited' }).press('Enter')
    await page.getByRole('menuitem', { name: 'For an hour' }).press('Enter')
    const logged = page.getByText(/^Request and response bodies are logged until/)
    await expect(logged).toBeVisible()
    await page.getByRole('button', { name: 'End Now: logged bodies of Limited' }).press('Enter')
    await expect(logged).toBeHidden()
    await expect(page.getByRole('switch', { name: 'Limited is active' })).toBeFocused()
    await page.getByRole('button', { name: 'Delete Limited' }).click()
    await page.getByRole('button', { name: 'Delete Token' }).click()
    await seeToast(page, 'Token deleted')
  })
})
