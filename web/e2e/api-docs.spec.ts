import { expect } from '@playwright/test'
import { confirmPassword } from './support/accounts.ts'
import { expectClipboard, openPage, see, seeToast } from './support/assertions.ts'
import { respond } from './support/intercept.ts'
import { test } from './support/test.ts'

test('opened: eight sections, the account’s base URL and tokens, four endpoints, all POST; examples: gpt-3.5-turbo, max_tokens 150, highlighted, copied by a button', async ({
  page,
  origin,
}) => {
  await openPage(page, '/api-docs')
  await see(page, 'API Documentation')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Overview',
    'Authentication',
    'Available Endpoints',
    'Code Examples',
    'Interactive Testing',
    'Error Codes',
    'Rate Limits',
    'Best Practices',
  ])
  await see(page, `${origin}/api/proxy/v1`, 'Backend', 'Use for Testing')
  const endpoints = page.locator('#endpoints')
  await expect(endpoints.locator('code')).toHaveText([
    '/api/proxy/v1/chat/completions',
    '/api/proxy/v1/completions',
    '/api/proxy/v1/embeddings',
    '/api/proxy/v1/images/generations',
  ])
  await expect(endpoints.getByText('POST')).toHaveCount(4)
  await see(page, 'Invalid or missing secure token', 'No active API key found', 'Too many requests', 'Server error')
  await expect(page.getByText('Rate limits are inherited from your OpenAI account')).toBeVisible()
  for (const language of ['cURL', 'JavaScript', 'Python', 'Node.js']) {
    await page.getByRole('tab', { name: language }).click()
    const code = page.getByLabel(`${language} example`, { exact: true })
    await expect(code.locator('.hljs-string').first()).toBeVisible()
    await page.getByRole('button', { name: `Copy ${language} example` }).click()
    await seeToast(page, 'Copied to clipboard')
    await expectClipboard(page, (await code.textContent())!)
    await expect(code).toContainText('gpt-3.5-turbo')
    await expect(code).toContainText(/max_tokens\D+150/)
    await expect(code).toContainText(`${origin}/api/proxy/v1`)
  }
})

test('further clients follow, and every tab can be reached by keyboard on a phone', async ({ page, origin }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, '/api-docs')
  const clients = ['Go', 'Java', '.NET', 'Vercel AI SDK', 'LangChain', 'Codex', 'Claude Code', 'Gemini CLI', 'Cursor']
  const tabs = page.getByRole('tablist', { name: 'Language' }).getByRole('tab')
  await expect(tabs).toHaveText(['cURL', 'JavaScript', 'Python', 'Node.js', ...clients])
  await tabs.filter({ hasText: 'Node.js' }).click()
  for (const client of clients) {
    await page.keyboard.press('ArrowRight')
    const tab = page.getByRole('tab', { name: client, selected: true, exact: true })
    await expect(tab).toBeFocused()
    const { x, width } = (await tab.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(390)
    const code = page.getByLabel(`${client} example`, { exact: true })
    await expect(code).toContainText(`${origin}/api/proxy`)
    await expect(code.locator('.hljs-string, .hljs-comment').first()).toBeVisible()
  }
})

test('a test that fails: one toast for a missing token, an error message, none, and no connection', async ({
  page,
}) => {
  await openPage(page, '/api-docs')
  const testEndpoint = () => page.getByRole('button', { name: 'Test Endpoint' }).click()
  await testEndpoint()
  await seeToast(page, 'Token required', 'Please enter a secure token to test the endpoint')
  await page.getByLabel('Secure Token', { exact: true }).fill('st_••••••••1234')
  await testEndpoint()
  await seeToast(page, 'API test failed', /The secure token is not valid/)
  await respond(page, 'POST', '/api/proxy/v1/chat/completions', 500, '<html>', 'text/html')
  await testEndpoint()
  await seeToast(page, 'API test failed', 'Unknown error occurred')
  await page.route('**/api/proxy/v1/**', (route) => route.abort())
  await testEndpoint()
  await seeToast(page, 'Failed to connect to the API endpoint')
})

test.describe('with a token to test', () => {
  test.use({ visitor: 'developer' })

  test('Use for Testing, then tested: the token goes into examples and test; a real response', async ({
    page,
    origin,
    account,
  }) => {
    await confirmPassword(page, origin)
    await openPage(page, '/api-docs')
    await page.getByRole('button', { name: 'Use for Testing: Backend' }).click()
    await expect(page.getByLabel('cURL example', { exact: true })).toContainText(
      `Bearer st_••••••••${account.token.slice(-4)}`,
    )
    await page.getByRole('button', { name: 'Copy cURL example' }).click()
    await expectClipboard(page, expect.stringContaining(`Bearer ${account.token}`))
    await expect(page.getByLabel('Secure Token', { exact: true })).toHaveValue(account.token)
    await page.getByRole('button', { name: 'Test Endpoint' }).click()
    await expect(page.getByRole('status').filter({ hasText: /^200/ })).toBeVisible()
    await expect(page.getByLabel('test response', { exact: true }).getByText('chat.completion').first()).toBeVisible()
  })
})

test.describe('of a new account', () => {
  test.use({ visitor: 'newcomer' })

  test('no token yet: says why and leads to one', async ({ page }) => {
    await openPage(page, '/api-docs')
    await see(page, 'No secure tokens yet')
    await page.getByRole('link', { name: 'Create Token' }).click()
    await expect(page).toHaveURL('/secure-tokens?dialog=create')
  })
})
