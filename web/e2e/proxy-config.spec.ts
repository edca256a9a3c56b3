import { expect, type Page } from '@playwright/test'
import { password } from './support/accounts.ts'
import { openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { fail, failureText, hold } from './support/intercept.ts'
import { test } from './support/test.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const reset = (page: Page) => page.getByRole('button', { name: 'Reset' })

test.use({ visitor: 'newcomer' })

test('opened: the sections, and defaults: 30000 ms, 3 attempts, limit on, 60 a minute, cache off, bodies not kept', async ({
  page,
}) => {
  await openPage(page, '/proxy-config')
  await see(page, 'Server Configuration', 'Rate Limiting', 'Configuration Summary', 'Privacy')
  await expect(page.getByLabel('Timeout (ms)')).toHaveValue('30000')
  await expect(page.getByLabel('Retry Attempts')).toHaveValue('3')
  await expect(page.getByLabel('Max Requests per Minute')).toHaveValue('60')
  await expect(page.getByLabel('Cache identical requests for (seconds)')).toHaveValue('0')
  await expect(page.getByRole('switch', { name: 'Enable Rate Limiting' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Log request and response bodies' })).not.toBeChecked()
})

test('opened: inputs: step 1000 ms; 0 to 10 attempts; 1 to 1000 a minute', async ({ page }) => {
  await openPage(page, '/proxy-config')
  const limits = {
    'Timeout (ms)': { min: '1000', max: '300000', step: '1000' },
    'Retry Attempts': { min: '0', max: '10' },
    'Max Requests per Minute': { min: '1', max: '1000' },
  }
  for (const [label, attributes] of Object.entries(limits))
    for (const [name, value] of Object.entries(attributes))
      await expect(page.getByLabel(label)).toHaveAttribute(name, value)
})

test('loading: skeletons, both buttons disabled', async ({ page }) => {
  await openPage(page, '/proxy-config')
  const release = await hold(page, 'GET', '/api/proxy/config')
  await page.reload()
  await expect(page.locator('[aria-busy=true]')).toBeVisible()
  await expect(save(page)).toBeDisabled()
  await expect(reset(page)).toBeDisabled()
  release()
  await expect(page.getByLabel('Base URL')).toBeVisible()
})

test('edited: Reset and Save Changes enabled, Unsaved Changes; Reset restores', async ({ page }) => {
  await openPage(page, '/proxy-config')
  await expect(page.getByLabel('Base URL')).toBeVisible()
  await expect(save(page)).toBeDisabled()
  await expect(reset(page)).toBeDisabled()
  await page.getByLabel('Retry Attempts').fill('5')
  await see(page, 'Unsaved Changes')
  await expect(save(page)).toBeEnabled()
  await expect(reset(page)).toBeEnabled()
  await reset(page).click()
  await expect(page.getByLabel('Retry Attempts')).toHaveValue('3')
  await expect(page.getByText('Unsaved Changes')).toHaveCount(0)
  await expect(save(page)).toBeDisabled()
})

test('no number typed: falls back to 30000, 3 and 60', async ({ page }) => {
  await openPage(page, '/proxy-config')
  for (const [label, fallback] of [
    ['Timeout (ms)', '30000'],
    ['Retry Attempts', '3'],
    ['Max Requests per Minute', '60'],
  ] as const) {
    await page.getByLabel(label).fill('7')
    await page.getByLabel(label).fill('')
    await page.getByLabel(label).blur()
    await expect(page.getByLabel(label)).toHaveValue(fallback)
  }
})

test('base URL blank: toast Validation Error / Base URL is required, nothing sent, focus there', async ({ page }) => {
  await openPage(page, '/proxy-config')
  await page.getByLabel('Base URL').fill('  ')
  const calls = watchCalls(page)
  await save(page).click()
  await seeToast(page, 'Validation Error', 'Base URL is required')
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
  await expect(page.getByLabel('Base URL')).toBeFocused()
})

test('timeout of 999 or 300001 ms: toast Validation Error', async ({ page }) => {
  await openPage(page, '/proxy-config')
  for (const timeout of ['999', '300001']) {
    await page.getByLabel('Timeout (ms)').fill(timeout)
    await save(page).click()
    await seeToast(page, 'Validation Error', 'Timeout must be between 1 and 300 seconds')
    await page.keyboard.press('Escape')
    await expect(page.getByText('Validation Error')).toHaveCount(0)
  }
})

test('timeout above 60000 ms: warning; none at 60000', async ({ page }) => {
  await openPage(page, '/proxy-config')
  await page.getByLabel('Timeout (ms)').fill('60000')
  await expect(page.getByText('Warning')).toHaveCount(0)
  await page.getByLabel('Timeout (ms)').fill('61000')
  await see(page, 'Warning')
})

test('rate limiting off: recommendation; the field for the maximum goes', async ({ page }) => {
  await openPage(page, '/proxy-config')
  await page.getByRole('switch', { name: 'Enable Rate Limiting' }).click()
  await see(page, 'Recommendation')
  await expect(page.getByLabel('Max Requests per Minute')).toHaveCount(0)
})

test('saved: toast Success, clean again, there after a reload', async ({ page }) => {
  await openPage(page, '/proxy-config')
  await page.getByLabel('Retry Attempts').fill('0')
  await page.getByRole('switch', { name: 'Log client addresses' }).click()
  await save(page).click()
  await seeToast(page, 'Success', 'Proxy configuration saved successfully')
  await expect(page.getByText('Unsaved Changes')).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Base URL')).toBeVisible()
  await expect(page.getByLabel('Retry Attempts')).toHaveValue('0')
  await page.getByLabel('Retry Attempts').fill('3')
  await page.getByRole('switch', { name: 'Log client addresses' }).click()
  await save(page).click()
  await seeToast(page, 'Success')
})

test('save fails: toast Error / Failed to save proxy configuration; edits stay', async ({ page }) => {
  await fail(page, 'POST', '/api/proxy/config')
  await openPage(page, '/proxy-config')
  await page.getByLabel('Retry Attempts').fill('5')
  await save(page).click()
  await seeToast(page, 'Error', 'Failed to save proxy configuration')
  await expect(page.getByLabel('Retry Attempts')).toHaveValue('5')
  await see(page, 'Unsaved Changes')
})

test('unsaved, a link followed: asks; Cancel stays, Discard Changes leaves', async ({ page }) => {
  await openPage(page, '/proxy-config')
  await page.getByLabel('Retry Attempts').fill('5')
  await page.getByRole('link', { name: 'API Keys' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Retry Attempts')).toHaveValue('5')
  await page.getByRole('link', { name: 'API Keys' }).click()
  await dialog.getByRole('button', { name: 'Discard Changes' }).click()
  await expect(page).toHaveURL('/api-keys')
})

test('unsaved, tab reloaded: the browser asks', async ({ page }) => {
  await openPage(page, '/proxy-config')
  await page.getByLabel('Retry Attempts').fill('5')
  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded
})

test('can’t be loaded: what happened and a retry', async ({ page }) => {
  await fail(page, 'GET', '/api/proxy/config')
  await openPage(page, '/proxy-config')
  await see(page, 'The proxy configuration could not be loaded', failureText, 'Try again')
})

test.describe('with keys', () => {
  test.use({ visitor: 'regular' })

  test('another origin, keys stored: asks for the password; a wrong one is rejected at the field; the right one saves', async ({
    page,
  }) => {
    await openPage(page, '/proxy-config')
    const before = await page.getByLabel('Base URL').inputValue()
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
    await expect(dialog).toBeHidden()
    await page.getByLabel('Base URL').fill(before)
    await save(page).click()
    await dialog.getByLabel('Current Password').fill(password)
    await dialog.getByRole('button', { name: 'Confirm and Save' }).click()
    await expect(page.getByText('Unsaved Changes')).toHaveCount(0)
  })
})
