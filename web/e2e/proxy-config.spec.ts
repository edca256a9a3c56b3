import { expect, type Page } from '@playwright/test'
import { password } from './support/accounts.ts'
import { openPage, reloadWithEdits, see, seeToast, watchCalls } from './support/assertions.ts'
import { fail, hold } from './support/intercept.ts'
import { choose } from './support/keyboard.ts'
import { test } from './support/test.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const reset = (page: Page) => page.getByRole('button', { name: 'Reset' })

test.use({ visitor: 'newcomer' })

test('opened: skeletons, both buttons disabled; then sections, defaults and limits of the inputs', async ({ page }) => {
  const release = await hold(page, 'GET', '/api/proxy/config')
  await openPage(page, '/proxy-config')
  await expect(page.locator('[aria-busy=true]')).toBeVisible()
  await expect(save(page)).toBeDisabled()
  await expect(reset(page)).toBeDisabled()
  release()
  await see(page, 'Server Configuration', 'Rate Limiting', 'Configuration Summary', 'Privacy')
  await expect(page.getByRole('switch', { name: 'Enable Rate Limiting' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Log request and response bodies' })).not.toBeChecked()
  await expect(page.getByLabel('Cache identical requests for (seconds)')).toHaveValue('0')
  const inputs = {
    'Timeout (ms)': { value: '30000', min: '1000', max: '300000', step: '1000' },
    'Retry Attempts': { value: '3', min: '0', max: '10' },
    'Max Requests per Minute': { value: '60', min: '1', max: '1000' },
  }
  for (const [label, { value, ...limits }] of Object.entries(inputs)) {
    const input = page.getByLabel(label)
    await expect(input).toHaveValue(value)
    for (const [name, limit] of Object.entries(limits)) await expect(input).toHaveAttribute(name, limit)
    // Anything but a number falls back to the default.
    await input.fill('7')
    await input.fill('')
    await input.blur()
    await expect(input).toHaveValue(value)
  }
})

test('edited: Reset and Save Changes enabled, Unsaved Changes; save fails, a toast, edits stay; Reset restores; to what can’t be: a toast, nothing sent, focus there; doubtful values: a warning, a recommendation', async ({
  page,
}) => {
  await fail(page, 'POST', '/api/proxy/config')
  await openPage(page, '/proxy-config')
  await expect(page.getByLabel('Base URL')).toBeVisible()
  await expect(save(page)).toBeDisabled()
  await expect(reset(page)).toBeDisabled()
  await page.getByLabel('Retry Attempts').fill('5')
  await see(page, 'Unsaved Changes')
  await expect(save(page)).toBeEnabled()
  await save(page).click()
  await seeToast(page, 'Error', 'Failed to save proxy configuration')
  await expect(page.getByLabel('Retry Attempts')).toHaveValue('5')
  await see(page, 'Unsaved Changes')
  await reset(page).click()
  await expect(page.getByLabel('Retry Attempts')).toHaveValue('3')
  await expect(page.getByText('Unsaved Changes')).toHaveCount(0)
  await expect(save(page)).toBeDisabled()
  const calls = watchCalls(page)
  const baseUrl = page.getByLabel('Base URL')
  const timeout = page.getByLabel('Timeout (ms)')
  await baseUrl.fill('  ')
  await save(page).click()
  await seeToast(page, 'Validation Error', 'Base URL is required')
  await expect(baseUrl).toBeFocused()
  await reset(page).click()
  for (const value of ['999', '300001']) {
    await timeout.fill(value)
    await save(page).click()
    await seeToast(page, 'Validation Error', 'Timeout must be between 1 and 300 seconds')
    await page.keyboard.press('Escape')
    await expect(page.getByText('Validation Error')).toHaveCount(0)
  }
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
  await timeout.fill('60000')
  await expect(page.getByText('Warning')).toHaveCount(0)
  await timeout.fill('61000')
  await see(page, 'Warning')
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

test('the address of a chat completion follows the base URL; the header of the credential is chosen by keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, '/proxy-config')
  const baseUrl = page.getByLabel('Base URL')
  await baseUrl.fill('https://api.openai.com')
  await see(page, 'A chat completion goes to https://api.openai.com/v1/chat/completions')
  await baseUrl.fill('https://generativelanguage.googleapis.com/v1beta/openai/')
  await see(page, 'A chat completion goes to https://generativelanguage.googleapis.com/v1beta/openai/chat/completions')
  await baseUrl.fill('no address')
  await expect(page.getByText('A chat completion goes to')).toHaveCount(0)
  await reset(page).click()
  const credential = page.getByLabel('Credential')
  await credential.focus()
  await page.keyboard.press('ArrowDown')
  await expect(credential).toHaveValue('api-key')
  await expect(credential).toBeFocused()
  await see(page, 'Unsaved Changes')
})

test('unsaved: the browser asks before a reload; a link and a sign-out ask too, Cancel stays, Discard Changes leaves; with a dialog’s edits on top: one question for both', async ({
  page,
}) => {
  await openPage(page, '/proxy-config')
  const attempts = page.getByLabel('Retry Attempts')
  await attempts.fill('5')
  await reloadWithEdits(page)
  await attempts.fill('5')
  await page.getByRole('link', { name: 'API Keys' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(attempts).toHaveValue('5')
  await page.getByRole('link', { name: 'API Keys' }).click()
  await dialog.getByRole('button', { name: 'Discard Changes' }).click()
  await expect(page).toHaveURL('/api-keys')
  await page.getByRole('link', { name: 'Proxy Config' }).click()
  await attempts.fill('5')
  await page.getByRole('button', { name: 'Add Your First Price' }).click()
  await page.getByLabel('Model', { exact: true }).fill('mistral-*')
  await choose(page, 'Analytics')
  await dialog.getByRole('button', { name: 'Discard Changes' }).click()
  await expect(page).toHaveURL('/analytics')
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
    await expect(dialog).toContainText(`are not sent to ${other}`)
    await dialog.getByLabel('Current Password').fill('wrong password')
    await dialog.getByRole('button', { name: 'Confirm and Save' }).click()
    await see(page, 'Current password is wrong')
    await dialog.getByLabel('Current Password').fill(password)
    await dialog.getByRole('button', { name: 'Confirm and Save' }).click()
    await seeToast(page, 'Success', 'Proxy configuration saved successfully')
    await expect(dialog).toBeHidden()
    await page.getByRole('link', { name: 'API Keys' }).click()
    await expect(page.getByRole('main')).toContainText(`entered for ${new URL(before).origin}`)
    await page.getByRole('link', { name: 'Proxy Config' }).click()
    await page.getByLabel('Base URL').fill(before)
    await save(page).click()
    await dialog.getByLabel('Current Password').fill(password)
    await dialog.getByRole('button', { name: 'Confirm and Save' }).click()
    await expect(page.getByText('Unsaved Changes')).toHaveCount(0)
  })
})

test('model prices: empty, added, edited and deleted by keyboard on a phone, apart from the form', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, '/proxy-config')
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Model Prices' }) })
  await expect(section).toContainText('No model prices yet')
  await expect(section).toContainText('requests before keep their cost')
  await page.getByLabel('Retry Attempts').fill('5')

  await section.getByRole('button', { name: 'Add Your First Price' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('mistral-*')
  const submit = () => page.keyboard.press('Enter')
  const model = dialog.getByLabel('Model')
  await dialog.getByLabel('Output (USD)', { exact: true }).fill('1e309')
  // A fast hand: the next letter comes as soon as the field has the focus.
  await model.evaluate((field) => {
    field.addEventListener('focus', () => setTimeout(() => document.execCommand('insertText', false, 'm')), {
      once: true,
    })
  })
  await submit()
  await expect(model).toHaveValue('m')
  await expect(dialog.getByText('Price must be a number such as 0.5')).toHaveCount(2)
  await expect(model).toBeFocused()
  await page.keyboard.type('istral-*')
  await dialog.getByLabel('Input (USD)', { exact: true }).fill('0.4')
  await dialog.getByLabel('Output (USD)', { exact: true }).fill('2')
  await submit()
  await seeToast(page, 'Model price added')
  const row = section.getByRole('listitem')
  for (const text of ['mistral-*', '$0.40', 'As input', '$2.00', 'None']) await expect(row).toContainText(text)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await section.getByRole('button', { name: 'Add Price' }).press('Enter')
  for (const [label, text] of [
    ['Model', 'mistral-*'],
    ['Input (USD)', '1'],
    ['Output (USD)', '1'],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(text)
  await submit()
  await see(page, 'This model or pattern already has a price')
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')

  const edit = section.getByRole('button', { name: 'Edit mistral-*' })
  await edit.press('Enter')
  await dialog.getByLabel('Cached Input (USD)').fill('0.000001')
  await dialog.getByText('More Prices').press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('3.75')
  await dialog.getByLabel('Prompts Above').fill('200000')
  await dialog.getByLabel('Long Output (USD)').fill('22.5')
  await submit()
  await expect(dialog.getByText('Long prompts need this too')).toHaveCount(1)
  await expect(dialog.getByLabel('Long Input (USD)')).toBeFocused()
  await page.keyboard.type('6')
  await submit()
  await seeToast(page, 'Model price changed')
  for (const text of ['$0.000001', 'Cache writes$3.75', 'Input above 200,000$6.00', 'Output above 200,000$22.50'])
    await expect(row).toContainText(text)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expect(edit).toBeFocused()
  await section.getByRole('button', { name: 'Delete mistral-*' }).press('Enter')
  await page.getByRole('button', { name: 'Delete Price' }).press('Enter')
  await seeToast(page, 'Model price deleted')
  await expect(section).toContainText('No model prices yet')
  await see(page, 'Unsaved Changes')
  await expect(page.getByLabel('Retry Attempts')).toHaveValue('5')
})
