import { expect } from 'vitest'
import { confirmPassword } from '../accounts.ts'
import { answer, fail, failureText, see, seeToast, settles } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'
import { hostileNames, hostileTokens, tokensOfEveryState } from './fixtures.ts'

export const secureTokensRows = checklist('Secure Tokens', { as: 'regular', path: '/secure-tokens' }, [
  [
    'with a token',
    'info alert, masked token, How to Use',
    '§2',
    async ({ page, account }) => {
      await see(page, 'Backend', 'Active', 'How to Use')
      await page.getByRole('note').first().waitFor()
      expect(await page.locator('body').textContent()).not.toContain(account?.token)
    },
  ],
  [
    'empty',
    'what to do, one action, no How to Use',
    '§2',
    async ({ page }) => {
      await see(page, 'No secure tokens yet', 'Create Your First Token')
      expect(await page.getByText('How to Use').count()).toBe(0)
    },
    { as: 'newcomer' },
  ],
  [
    'tokens of every state',
    'Active, Inactive, Expired; the toggle of an expired one is disabled',
    '§4',
    async ({ page }) => {
      await see(page, 'Active', 'Inactive', 'Expired')
      expect(await page.getByRole('switch', { name: 'Gone is active' }).isDisabled()).toBe(true)
      expect(await page.getByRole('switch', { name: 'Sleeping is active' }).isEnabled()).toBe(true)
    },
    { before: ({ page }) => answer(page, 'GET', '/api/tokens', 200, tokensOfEveryState) },
  ],
  [
    'toggled and back',
    'toast Token updated',
    '§8',
    async ({ page }) => {
      const toggle = page.getByRole('switch', { name: 'Backend is active' })
      await toggle.click()
      await seeToast(page, 'Token updated')
      await see(page, 'Inactive')
      await toggle.click()
      await see(page, 'Active')
    },
  ],
  [
    'toggle fails',
    'toast Failed to update token',
    '§8',
    async ({ page }) => {
      await page.route('**/toggle', (route) => route.fulfill({ status: 500, body: '' }))
      await page.getByRole('switch', { name: 'Backend is active' }).click()
      await seeToast(page, 'Failed to update token', '500: Internal Server Error')
    },
  ],
  [
    'copied',
    'the full token in the clipboard, with a confirmation',
    '§2, §8',
    async ({ page, account }) => {
      await page.getByRole('button', { name: 'Copy the full token Backend' }).click()
      await seeToast(page, 'Token copied')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(account?.token)
    },
    { before: ({ page, url }) => confirmPassword(page, url) },
  ],
  [
    'copy fails',
    'toast Failed to retrieve and copy the full token',
    '§8',
    async ({ page }) => {
      await page.route('**/reveal', (route) => route.fulfill({ status: 503, body: '' }))
      await page.getByRole('button', { name: 'Copy the full token Backend' }).click()
      await seeToast(page, 'Failed to retrieve and copy the full token')
    },
  ],
  [
    'create without a name',
    'toast Name required',
    '§5',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Create Token' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
      await seeToast(page, 'Name required', 'Please enter a name for your secure token')
    },
  ],
  [
    'create, expiry in the past',
    'refused at the field; the minimum is today',
    '§5',
    async ({ page }) => {
      await page.getByLabel('Token Name').fill('Late')
      const expiry = page.getByLabel('Expiry Date')
      expect(await expiry.getAttribute('min')).toMatch(/^\d{4}-\d\d-\d\d$/)
      await expiry.fill('2020-01-01')
      await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
      await see(page, 'The expiry date must be today or later')
    },
    { path: '/secure-tokens?dialog=create' },
  ],
  [
    'limit of the plan reached',
    'toast Failed to create token with what to do',
    '§6, §8',
    async ({ page }) => {
      await page.getByLabel('Token Name').fill('Second')
      await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
      await seeToast(page, 'Failed to create token', /Delete one or change the plan/)
    },
    { path: '/secure-tokens?dialog=create' },
  ],
  [
    'created, shown once, deleted',
    'toasts; the dialog and the form reset',
    '§2, §4, §8',
    async ({ page }) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Token Name').fill('Fresh')
      await dialog.getByRole('button', { name: 'Create Token' }).click()
      await seeToast(page, 'Secure token created')
      await see(page, 'This token will not be shown again.')
      expect(await dialog.locator('code').textContent()).toMatch(/^st_\w{38}$/)
      await page.mouse.click(5, 5)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Create Token' }).click()
      await settles(() => dialog.getByLabel('Token Name').inputValue(), '')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Delete Fresh' }).click()
      await page.getByRole('button', { name: 'Delete Token' }).click()
      await seeToast(page, 'Token deleted')
    },
    { as: 'sender', path: '/secure-tokens?dialog=create' },
  ],
  [
    'edited',
    'opens as it is; only what was changed is sent; a cleared restriction is lifted; the toggle stays',
    'decisions, Privacy, keys, tokens',
    async ({ page }) => {
      const dialog = page.getByRole('dialog', { name: 'Edit Secure Token' })
      const bodies: string[] = []
      page.on('request', (request) => request.method() === 'PATCH' && bodies.push(request.postData() ?? ''))
      const save = async (label: string, text: string) => {
        await page.getByRole('button', { name: 'Edit Backend' }).click()
        expect(await dialog.getByLabel('Token Name').inputValue()).toBe('Backend')
        expect(await dialog.getByRole('button', { name: 'Save Changes' }).isDisabled()).toBe(true)
        await dialog.getByLabel(label).fill(text)
        await dialog.getByRole('button', { name: 'Save Changes' }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await save('Models', 'gpt-4o, gpt-4o-mini')
      await seeToast(page, 'Token updated')
      await save('Monthly Budget (USD)', '12.5')
      await see(page, 'gpt-4o, gpt-4o-mini', '$12.50', 'Active')
      await save('Models', '')
      await save('Monthly Budget (USD)', '')
      await settles(() => page.getByText('Monthly budget', { exact: true }).count(), 0)
      expect(bodies.map((body) => JSON.parse(body))).toEqual([
        { models: ['gpt-4o', 'gpt-4o-mini'] },
        { monthlyBudgetUsd: 12.5 },
        { models: null },
        { monthlyBudgetUsd: null },
      ])
    },
  ],
  [
    'edited to what can’t be',
    'each refused at its field, with a toast for the missing name',
    '§5',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Edit Backend' }).click()
      await page.getByLabel('Token Name').fill(' ')
      await page.getByLabel('Monthly Budget (USD)').fill('-1')
      await page.getByLabel('Allowed Addresses').fill('10.0.0.1, home')
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await seeToast(page, 'Name required', 'Please enter a name for your secure token')
      await see(page, 'Monthly budget must be between 0 and 1000000 USD, with at most 4 decimals')
      await see(page, 'Allowed addresses must be IP addresses or CIDR ranges')
    },
  ],
  [
    'edit fails',
    'toast Failed to update token',
    '§8',
    async ({ page }) => {
      await page.route('**/api/tokens/*', (route) => route.fulfill({ status: 500, body: '' }))
      await page.getByRole('button', { name: 'Edit Backend' }).click()
      await page.getByLabel('Token Name').fill('Frontend')
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await seeToast(page, 'Failed to update token', '500: Internal Server Error')
    },
  ],
  [
    'delete fails',
    'toast Failed to delete token',
    '§8',
    async ({ page }) => {
      await page.route('**/api/tokens/*', (route) => route.fulfill({ status: 500, body: '' }))
      await page.getByRole('button', { name: 'Delete Backend' }).click()
      await page.getByRole('button', { name: 'Delete Token' }).click()
      await seeToast(page, 'Failed to delete token')
    },
  ],
  [
    'list fails',
    'what happened and a retry',
    'decisions, Screens',
    ['The secure tokens could not be loaded', failureText, 'Try again'],
    { before: ({ page }) => fail(page, 'GET', '/api/tokens') },
  ],
  [
    'names of 200 letters, emoji, right to left, script',
    'inert, and nothing breaks out',
    'attacks 42, decisions, Screens',
    async ({ page }) => {
      await page.getByText(hostileNames[3] ?? '').waitFor()
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await settles(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true)
      }
    },
    { before: ({ page }) => answer(page, 'GET', '/api/tokens', 200, hostileTokens) },
  ],
])
