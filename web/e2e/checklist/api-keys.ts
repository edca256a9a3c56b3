import { expect } from 'vitest'
import { answer, fail, failureText, hold, see, seeToast, settles } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'
import { fourKeys, hostileKeys, hostileNames, manyKeys } from './fixtures.ts'

export const apiKeysRows = checklist('API Keys', { as: 'regular', path: '/api-keys' }, [
  [
    'with keys',
    'masked, usage, last use, primary and backup',
    '§3',
    async ({ page }) => {
      await see(page, 'Production', 'Primary', 'Backup', 'Usage', 'Last used', 'Created', 'Never')
      expect(await page.locator('body').textContent()).not.toMatch(/sk-[\da-f]{8}-/)
    },
  ],
  [
    'with keys',
    'Set as Primary only for non-primary keys',
    '§4',
    async ({ page }) => {
      await see(page, 'Key 4', 'Inactive')
      expect(await page.getByRole('button', { name: 'Set as Primary' }).count()).toBe(3)
    },
    { before: ({ page }) => answer(page, 'GET', '/api/keys', 200, fourKeys) },
  ],
  [
    'empty',
    'what to do, and one action',
    '§2, decisions, Screens',
    ['No API keys yet', 'Add Your First Key'],
    { as: 'newcomer' },
  ],
  [
    'loading',
    'skeleton',
    '§2',
    async ({ page }) => {
      const letGo = await hold(page, 'GET', '/api/keys')
      await page.reload()
      await page.locator('[aria-busy=true]').waitFor()
      letGo()
      await see(page, 'Production')
    },
  ],
  [
    'add with empty fields',
    'toast Validation Error, nothing sent',
    '§5',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Add API Key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('   ')
      await page.getByRole('button', { name: 'Add Key' }).click()
      await seeToast(page, 'Validation Error', 'Please provide both name and API key')
    },
  ],
  [
    'add fails',
    'toast Failed to add API key; the dialog stays',
    '§8',
    async ({ page }) => {
      await page.getByLabel('Name', { exact: true }).fill('New')
      await page.getByLabel('API Key', { exact: true }).fill('sk-new')
      await page.getByRole('button', { name: 'Add Key' }).click()
      await seeToast(page, 'Failed to add API key', failureText)
      await page.getByRole('dialog').waitFor()
    },
    { path: '/api-keys?dialog=add', before: ({ page }) => fail(page, 'POST', '/api/keys') },
  ],
  [
    'key added, made primary, deleted',
    'three toasts; the list follows; focus comes back',
    '§4, §8',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Add API Key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Third')
      await page.getByLabel('API Key', { exact: true }).fill('sk-third')
      await page.getByRole('button', { name: 'Add Key' }).click()
      await seeToast(page, 'API key added successfully')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await settles(() => page.evaluate(() => document.activeElement?.textContent), 'Add API Key')
      const row = page.getByRole('listitem').filter({ hasText: 'Third' })
      await row.getByRole('button', { name: 'Set as Primary' }).click()
      await seeToast(page, 'Primary key updated')
      await row.getByText('Primary', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Delete Third' }).click()
      await see(page, 'This is your primary key', 'Proxy requests may fail until you set another key as primary.')
      await page.getByRole('button', { name: 'Delete Key' }).click()
      await seeToast(page, 'API key deleted')
      await row.waitFor({ state: 'detached' })
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Production' })
        .getByRole('button', { name: 'Set as Primary' })
        .click()
      await seeToast(page, 'Primary key updated')
    },
  ],
  [
    'set primary fails',
    'toast Failed to update primary key',
    '§8',
    async ({ page }) => {
      await page.route('**/primary', (route) => route.fulfill({ status: 503, body: '' }))
      await page.getByRole('button', { name: 'Set as Primary' }).click()
      await seeToast(page, 'Failed to update primary key', '503: Service Unavailable')
    },
  ],
  [
    'delete fails',
    'toast Failed to delete API key; the key stays',
    '§8',
    async ({ page }) => {
      await page.route('**/api/keys/*', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
      await page.getByRole('button', { name: 'Delete Backup' }).click()
      await page.getByRole('button', { name: 'Delete Key' }).click()
      await seeToast(page, 'Failed to delete API key', '502: Bad Gateway')
    },
  ],
  [
    'list fails',
    'what happened and a retry that works',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'The API keys could not be loaded', failureText)
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Try again' }).click()
      await see(page, 'Production')
    },
    { before: ({ page }) => fail(page, 'GET', '/api/keys') },
  ],
  [
    'answer of an unknown form',
    'says to reload',
    'decisions, Screens',
    ['The gateway answered in a form that this page does not know. Reload the page.'],
    { before: ({ page }) => answer(page, 'GET', '/api/keys', 200, { keys: [] }) },
  ],
  [
    'names of 200 letters, emoji, right to left, script',
    'inert, and nothing breaks out',
    'attacks 42, decisions, Screens',
    async ({ page }) => {
      await page.getByText(hostileNames[3] ?? '').waitFor()
      expect(await page.title()).toBe('API Keys · Sallyport')
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await settles(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true)
      }
      expect(await page.getByText('\u202E').count()).toBe(0)
    },
    { before: ({ page }) => answer(page, 'GET', '/api/keys', 200, hostileKeys) },
  ],
  [
    '1,000 keys',
    'a first part at once, any key by a search',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'Key 1')
      expect(await page.getByRole('listitem').count()).toBeLessThan(200)
      await page.getByRole('searchbox', { name: 'Search API keys' }).fill('key 999')
      await see(page, 'Key 999')
      expect(await page.getByRole('main').getByRole('listitem').count()).toBe(1)
    },
    { before: ({ page }) => answer(page, 'GET', '/api/keys', 200, manyKeys) },
  ],
])
