import { expect } from '@playwright/test'
import { openPage, reloadWithEdits, see, seeToast } from './support/assertions.ts'
import { fail, failureText, hold, respond, respondWithProblem } from './support/intercept.ts'
import { choose } from './support/keyboard.ts'
import { fourKeys, manyKeys } from './support/samples.ts'
import { test } from './support/test.ts'

test('with keys: a skeleton, then masked, usage, last use, primary and backup; a failed change is reported', async ({
  page,
}) => {
  const release = await hold(page, 'GET', '/api/keys')
  await openPage(page, '/api-keys')
  await expect(page.locator('[aria-busy=true]')).toBeVisible()
  release()
  await see(page, 'Production', 'Primary', 'Backup', 'Usage', 'Last used', 'Created', 'Never')
  await expect(page.locator('body')).not.toContainText(/sk-[\da-f]{8}-/)
  await page.route('**/primary', (route) => route.fulfill({ status: 503, body: '' }))
  await page.getByRole('button', { name: 'Set as Primary' }).click()
  await seeToast(page, 'Failed to update primary key', '503: Service Unavailable')
  await page.route('**/api/keys/*', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await page.getByRole('button', { name: 'Delete Backup' }).click()
  const deletion = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.getByRole('button', { name: 'Delete Key' }).click()
  await seeToast(page, 'Failed to delete API key', '502: Bad Gateway')
  await respondWithProblem(page, 'DELETE', new URL((await deletion).url()).pathname, 'not-found')
  await page.getByRole('button', { name: 'Delete Key' }).click()
  await seeToast(page, 'Failed to delete API key', /may have been deleted/)
  await expect(page.getByRole('alertdialog')).toBeHidden()
})

test('list of an unknown form, then failing: what happened and a retry that works; Set as Primary only for non-primary keys', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/keys', 200, { keys: [] })
  await openPage(page, '/api-keys')
  await see(page, 'The gateway responded in a form that this page does not know. Reload the page.')
  await fail(page, 'GET', '/api/keys')
  await page.getByRole('button', { name: 'Try again' }).click()
  await see(page, 'The API keys could not be loaded', failureText)
  await respond(page, 'GET', '/api/keys', 200, fourKeys)
  await page.getByRole('button', { name: 'Try again' }).click()
  await see(page, 'Key 4', 'Inactive')
  await expect(page.locator('#main')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Set as Primary' })).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Set as Primary: Key 4' })).toBeVisible()
})

test('edits in a dialog: a command asks before it leaves, the browser before a reload; Cancel keeps them, and the focus', async ({
  page,
}) => {
  await openPage(page, '/api-keys')
  await page.getByRole('button', { name: 'Add API Key' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Third')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  // The last one leads to this screen, without the parameter that opens the dialog.
  for (const command of ['Analytics', 'Sign out', 'API Keys']) {
    await choose(page, command)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(name).toHaveValue('Third')
    await expect(name).toBeFocused()
  }
  await reloadWithEdits(page)
  // The address opens the dialog again.
  await expect(name).toHaveValue('')
})

test('key added, after empty fields and a failure, each with a toast, made primary, deleted: three toasts; the list follows; focus comes back', async ({
  page,
}) => {
  await fail(page, 'POST', '/api/keys')
  await openPage(page, '/api-keys')
  await page.getByRole('button', { name: 'Add API Key' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.mouse.click(5, 5)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Add API Key' }).click()
  const add = page.getByRole('dialog').getByRole('button', { name: 'Add Key' })
  await page.getByLabel('Name', { exact: true }).fill('   ')
  await add.click()
  await seeToast(page, 'Validation Error', 'Please provide both name and API key')
  await page.getByLabel('Name', { exact: true }).fill('Third')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
  // As extensions do, such as password managers with their lists.
  await page.evaluate(() => {
    const added = document.createElement('extension-list')
    added.textContent = 'Added by an extension'
    added.style.cssText = 'position: fixed; top: 0; z-index: 99; pointer-events: auto'
    document.body.append(added)
  })
  await page.getByText('Added by an extension').click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  const key = page.getByLabel('API Key', { exact: true })
  await key.fill('sk-third')
  // Masked, but nothing that browsers offer to save as a password.
  await expect(key).toHaveCSS('-webkit-text-security', 'disc')
  await expect(key).not.toHaveAttribute('type', 'password')
  await add.click()
  await seeToast(page, 'Failed to add API key', failureText)
  await expect(add).toBeFocused()
  await page.unrouteAll()
  await add.click()
  await seeToast(page, 'API key added successfully')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add API Key' })).toBeFocused()
  const row = page.getByRole('listitem').filter({ hasText: 'Third' })
  await row.getByRole('button', { name: 'Set as Primary' }).click()
  await seeToast(page, 'Primary key updated')
  await expect(row.getByText('Primary', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Test Third' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete Third' }).click()
  await see(page, 'This is your primary key', 'Proxy requests may fail until you set another key as primary.')
  await page.getByRole('button', { name: 'Delete Key' }).click()
  await seeToast(page, 'API key deleted')
  await expect(row).toBeHidden()
  await expect(page.getByRole('button', { name: 'Set as Primary: Backup' })).toBeFocused()
  const production = page.getByRole('listitem').filter({ hasText: 'Production' })
  await production.getByRole('button', { name: 'Set as Primary' }).click()
  await seeToast(page, 'Primary key updated')
})

test('Enter pressed again while a dialog fades out sends nothing more', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await openPage(page, '/api-keys')
  // Long enough to press a key meanwhile.
  await page.evaluate(() => document.documentElement.style.setProperty('--animate-rise-out', 'rise-out 2s'))
  let sent = 0
  await page.route('**/api/keys', (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sent += 1
    return route.fulfill({ status: 201, json: { ...fourKeys[0], warning: null } })
  })
  await page.getByRole('button', { name: 'Add API Key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Twice')
  await page.getByLabel('API Key', { exact: true }).fill('sk-twice')
  await page.keyboard.press('Enter')
  const dialog = page.locator('[role=dialog]')
  await expect(dialog).toHaveAttribute('data-state', 'closed')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add API Key' })).toBeFocused()
  expect(sent).toBe(1)
})

test('1,000 keys: a first part at once, more by a button that keeps the focus, any key by a search', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/keys', 200, manyKeys)
  await openPage(page, '/api-keys')
  await see(page, 'Key 1')
  expect(await page.getByRole('listitem').count()).toBeLessThan(200)
  const search = page.getByRole('searchbox', { name: 'Search API keys' })
  await search.fill('key 9')
  const more = page.getByRole('button', { name: 'Show more' })
  for (const shown of ['50', '100', '111']) {
    await see(page, `${shown} of 111`)
    await more.press('Enter')
  }
  await expect(more).toBeFocused()
  await search.fill('key 999')
  await see(page, 'Key 999')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
})

test('a key shows its cooldown, what is left and its last error; it is tested and renamed, by keyboard at 360 px', async ({
  page,
}) => {
  const at = '2026-01-15T12:00:00.000Z'
  const [, key] = fourKeys
  await respond(page, 'GET', '/api/keys', 200, [key])
  await respond(page, 'GET', '/api/keys/states', 200, [
    {
      id: key!.id,
      cooldown: { until: at, status: 401, endpoint: '/v1/models' },
      limits: { requests: { left: 40, limit: 1_000 }, tokens: null, at },
      lastError: { status: 401, message: 'Missing scopes', at },
      otherOrigin: 'https://other.example',
    },
  ])
  await respond(page, 'POST', `/api/keys/${key!.id}/test`, 200, { success: false, message: 'The key was rejected.' })
  await page.setViewportSize({ width: 360, height: 800 })
  await openPage(page, '/api-keys')
  const row = page.getByRole('listitem').filter({ hasText: 'Key 2' })
  for (const text of [
    'Cooldown',
    'for /v1/models only',
    '40 of 1,000 requests',
    'Missing scopes',
    'entered for https://other.example',
  ])
    await expect(row).toContainText(text)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  const tops = await row.getByRole('button').evaluateAll((buttons) => buttons.map((b) => b.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
  await page.getByRole('button', { name: 'Test Key 2' }).press('Enter')
  await seeToast(page, 'Failed', 'The key was rejected.')
  await fail(page, 'PATCH', `/api/keys/${key!.id}`)
  await page.getByRole('button', { name: 'Rename Key 2' }).press('Enter')
  await page.getByLabel('Name', { exact: true }).fill('Renamed')
  await page.keyboard.press('Enter')
  await seeToast(page, 'Failed to rename API key', failureText)
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Rename Key 2' })).toBeFocused()
})
