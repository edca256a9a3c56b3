import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../accounts.ts'
import { fail, failureText, hold, see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const reset = (page: Page) => page.getByRole('button', { name: 'Reset' })
const value = (page: Page, label: string) => page.getByLabel(label).inputValue()

export const proxyConfigRows = checklist('Proxy Configuration', { as: 'newcomer', path: '/proxy-config' }, [
  [
    'opened',
    'three sections and Privacy',
    '§2, decisions',
    ['Server Configuration', 'Rate Limiting', 'Configuration Summary', 'Privacy', 'Log request and response bodies'],
  ],
  [
    'opened',
    'defaults: 30000 ms, 3 attempts, limit on, 60 a minute, cache off, bodies not kept',
    '§3, §9',
    async ({ page }) => {
      await page.getByLabel('Base URL').waitFor()
      expect(await value(page, 'Timeout (ms)')).toBe('30000')
      expect(await value(page, 'Retry Attempts')).toBe('3')
      expect(await value(page, 'Max Requests per Minute')).toBe('60')
      expect(await value(page, 'Cache identical requests for (seconds)')).toBe('0')
      expect(await page.getByRole('switch', { name: 'Enable Rate Limiting' }).isChecked()).toBe(true)
      expect(await page.getByRole('switch', { name: 'Log request and response bodies' }).isChecked()).toBe(false)
    },
  ],
  [
    'opened',
    'inputs: step 1000 ms; 0 to 10 attempts; 1 to 1000 a minute',
    '§5',
    async ({ page }) => {
      const limits = async (label: string) => {
        const input = page.getByLabel(label)
        return Promise.all(['min', 'max', 'step'].map((name) => input.getAttribute(name)))
      }
      expect(await limits('Timeout (ms)')).toEqual(['1000', '300000', '1000'])
      expect(await limits('Retry Attempts')).toEqual(['0', '10', null])
      expect(await limits('Max Requests per Minute')).toEqual(['1', '1000', null])
    },
  ],
  [
    'loading',
    'skeletons, both buttons disabled',
    '§2',
    async ({ page }) => {
      const letGo = await hold(page, 'GET', '/api/proxy/config')
      await page.reload()
      await page.locator('[aria-busy=true]').waitFor()
      expect([await save(page).isDisabled(), await reset(page).isDisabled()]).toEqual([true, true])
      letGo()
      await page.getByLabel('Base URL').waitFor()
    },
  ],
  [
    'edited',
    'Reset and Save Changes enabled, Unsaved Changes; Reset restores',
    '§2, §4',
    async ({ page }) => {
      await page.getByLabel('Base URL').waitFor()
      expect([await save(page).isDisabled(), await reset(page).isDisabled()]).toEqual([true, true])
      await page.getByLabel('Retry Attempts').fill('5')
      await see(page, 'Unsaved Changes')
      expect([await save(page).isDisabled(), await reset(page).isDisabled()]).toEqual([false, false])
      await reset(page).click()
      await settles(() => value(page, 'Retry Attempts'), '3')
      await settles(() => page.getByText('Unsaved Changes').count(), 0)
      await settles(() => save(page).isDisabled(), true)
    },
  ],
  [
    'no number typed',
    'falls back to 30000, 3 and 60',
    '§5',
    async ({ page }) => {
      for (const [label, fallback] of [
        ['Timeout (ms)', '30000'],
        ['Retry Attempts', '3'],
        ['Max Requests per Minute', '60'],
      ] as const) {
        await page.getByLabel(label).fill('7')
        await page.getByLabel(label).fill('')
        await page.getByLabel(label).blur()
        await settles(() => value(page, label), fallback)
      }
    },
  ],
  [
    'base URL blank',
    'toast Validation Error / Base URL is required, nothing sent, focus there',
    '§5',
    async ({ page }) => {
      await page.getByLabel('Base URL').fill('  ')
      const calls = watchCalls(page)
      await save(page).click()
      await seeToast(page, 'Validation Error', 'Base URL is required')
      expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('baseUrl')
    },
  ],
  ...['999', '300001'].map(
    (timeout) =>
      [
        `timeout ${timeout}`,
        'toast Validation Error / Timeout must be between 1 and 300 seconds',
        '§5',
        async ({ page }) => {
          await page.getByLabel('Timeout (ms)').fill(timeout)
          await save(page).click()
          await seeToast(page, 'Validation Error', 'Timeout must be between 1 and 300 seconds')
        },
      ] as const satisfies Parameters<typeof checklist>[2][number],
  ),
  [
    'timeout above 60000 ms',
    'warning; none at 60000',
    '§2, §9',
    async ({ page }) => {
      await page.getByLabel('Timeout (ms)').fill('60000')
      expect(await page.getByText('Warning').count()).toBe(0)
      await page.getByLabel('Timeout (ms)').fill('61000')
      await see(page, 'Warning')
    },
  ],
  [
    'rate limiting off',
    'recommendation; the field for the maximum goes',
    '§2',
    async ({ page }) => {
      await page.getByRole('switch', { name: 'Enable Rate Limiting' }).click()
      await see(page, 'Recommendation')
      expect(await page.getByLabel('Max Requests per Minute').count()).toBe(0)
    },
  ],
  [
    'saved',
    'toast Success, clean again, there after a reload',
    '§4, §8',
    async ({ page }) => {
      await page.getByLabel('Retry Attempts').fill('0')
      await page.getByRole('switch', { name: 'Log client addresses' }).click()
      await save(page).click()
      await seeToast(page, 'Success', 'Proxy configuration saved successfully')
      await settles(() => page.getByText('Unsaved Changes').count(), 0)
      await page.reload()
      await page.getByLabel('Base URL').waitFor()
      expect(await value(page, 'Retry Attempts')).toBe('0')
      await page.getByLabel('Retry Attempts').fill('3')
      await page.getByRole('switch', { name: 'Log client addresses' }).click()
      await save(page).click()
      await seeToast(page, 'Success')
    },
  ],
  [
    'save fails',
    'toast Error / Failed to save proxy configuration; edits stay',
    '§8',
    async ({ page }) => {
      await page.getByLabel('Retry Attempts').fill('5')
      await save(page).click()
      await seeToast(page, 'Error', 'Failed to save proxy configuration')
      expect(await value(page, 'Retry Attempts')).toBe('5')
      await see(page, 'Unsaved Changes')
    },
    { before: ({ page }) => fail(page, 'POST', '/api/proxy/config') },
  ],
  [
    'another origin, keys stored',
    'asks for the password; a wrong one is refused at the field; the right one saves',
    'decisions, Privacy',
    async ({ page }) => {
      const before = await value(page, 'Base URL')
      const other = before.replace('127.0.0.1', 'localhost')
      await page.getByLabel('Base URL').fill(other)
      await save(page).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Current Password').fill('wrong password')
      await dialog.getByRole('button', { name: 'Confirm and Save' }).click()
      await see(page, 'Current password is wrong')
      await dialog.getByLabel('Current Password').fill(password)
      await dialog.getByRole('button', { name: 'Confirm and Save' }).click()
      await seeToast(page, 'Success', 'Proxy configuration saved successfully')
      await dialog.waitFor({ state: 'detached' })
      await page.getByLabel('Base URL').fill(before)
      await save(page).click()
      await dialog.getByLabel('Current Password').fill(password)
      await dialog.getByRole('button', { name: 'Confirm and Save' }).click()
      await settles(() => page.getByText('Unsaved Changes').count(), 0)
    },
    { as: 'regular' },
  ],
  [
    'unsaved, a link followed',
    'asks; Cancel stays, Discard Changes leaves',
    'decisions, Screens',
    async ({ page }) => {
      await page.getByLabel('Retry Attempts').fill('5')
      await page.getByRole('link', { name: 'API Keys' }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await value(page, 'Retry Attempts')).toBe('5')
      await page.getByRole('link', { name: 'API Keys' }).click()
      await dialog.getByRole('button', { name: 'Discard Changes' }).click()
      await page.waitForURL('**/api-keys')
    },
  ],
  [
    'unsaved, tab reloaded',
    'the browser asks',
    'decisions, Screens',
    async ({ page }) => {
      await page.getByLabel('Retry Attempts').fill('5')
      const asked = page.waitForEvent('dialog')
      const reloaded = page.reload()
      const dialog = await asked
      expect(dialog.type()).toBe('beforeunload')
      await dialog.accept()
      await reloaded
    },
  ],
  [
    'can’t be loaded',
    'what happened and a retry',
    'decisions, Screens',
    ['The proxy configuration could not be loaded', failureText, 'Try again'],
    { before: ({ page }) => fail(page, 'GET', '/api/proxy/config') },
  ],
])
