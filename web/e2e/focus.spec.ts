import { expect, type Locator, type Page } from '@playwright/test'
import { openPage, see } from './support/assertions.ts'
import { hold } from './support/intercept.ts'
import { test } from './support/test.ts'

/** Presses a control, and expects that it keeps the focus while its call is under way and after it. */
async function expectToKeepFocus(page: Page, control: Locator, method: string, path: string) {
  const release = await hold(page, method, path)
  await control.press('Enter')
  await expect(control).toBeDisabled()
  await expect(control).toBeFocused()
  release()
  await expect(control).toBeEnabled()
  await expect(control).toBeFocused()
}

test('a pressed control keeps the focus while its call is under way', async ({ page }) => {
  await openPage(page, '/')
  await expectToKeepFocus(page, page.getByRole('button', { name: /^Test/ }), 'POST', '/api/proxy/test')
  await openPage(page, '/secure-tokens')
  const toggle = page.getByRole('switch', { name: 'Backend is active' })
  const { id } = (await (await page.request.get('/api/tokens')).json())[0]
  await expectToKeepFocus(page, toggle, 'PUT', `/api/tokens/${id}/toggle`)
  await toggle.press('Enter')
  await expect(toggle).toBeChecked()
  await openPage(page, '/request-logs')
  await see(page, '2 requests found')
  await expectToKeepFocus(page, page.getByRole('button', { name: 'Refresh' }), 'GET', '/api/logs')
})
