import { expect } from 'vitest'
import { confirmPassword } from '../accounts.ts'
import { answer, see, seeToast, settles } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

export const apiDocsRows = checklist('API Documentation', { as: 'regular', path: '/api-docs' }, [
  [
    'opened',
    'eight sections',
    '§2',
    async ({ page }) => {
      await see(page, 'API Documentation')
      await settles(
        () => page.getByRole('heading', { level: 2 }).allTextContents(),
        [
          'Overview',
          'Authentication',
          'Available Endpoints',
          'Code Examples',
          'Interactive Testing',
          'Error Codes',
          'Rate Limits',
          'Best Practices',
        ],
      )
    },
  ],
  [
    'opened',
    'the account’s base URL and tokens',
    '§2, decisions',
    async ({ page, url }) => {
      await see(page, `${url}/api/proxy/v1`, 'Backend', 'Use for Testing')
    },
  ],
  [
    'opened',
    'four documented endpoints, all POST',
    '§7',
    async ({ page }) => {
      const section = page.locator('#endpoints')
      await section.waitFor()
      await settles(
        () => section.locator('code').allTextContents(),
        [
          '/api/proxy/v1/chat/completions',
          '/api/proxy/v1/completions',
          '/api/proxy/v1/embeddings',
          '/api/proxy/v1/images/generations',
        ],
      )
      expect(await section.getByText('POST').count()).toBe(4)
    },
  ],
  [
    'opened',
    'error codes 401, 400, 429, 500; limits are inherited',
    '§8',
    async ({ page }) => {
      await see(page, 'Invalid or missing secure token', 'No active API key found', 'Too many requests', 'Server error')
      await page.getByText('Rate limits are inherited from your OpenAI account').waitFor()
    },
  ],
  ...['cURL', 'JavaScript', 'Python', 'Node.js'].map(
    (language) =>
      [
        `examples, ${language}`,
        'gpt-3.5-turbo, max_tokens 150, highlighted, copied by a button',
        '§2, §9',
        async ({ page, url }) => {
          await page.getByRole('tab', { name: language }).click()
          const code = page.getByLabel(`${language} example`, { exact: true })
          await code.locator('.hljs-string').first().waitFor()
          await page.getByRole('button', { name: `Copy ${language} example` }).click()
          await seeToast(page, 'Copied to clipboard')
          const copied = await page.evaluate(() => navigator.clipboard.readText())
          expect(copied).toBe(await code.textContent())
          expect(copied).toContain('gpt-3.5-turbo')
          expect(copied).toMatch(/max_tokens\D+150/)
          expect(copied).toContain(`${url}/api/proxy/v1`)
        },
      ] as const satisfies Parameters<typeof checklist>[2][number],
  ),
  [
    'test without a token',
    'toast Token required',
    '§5',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Test Endpoint' }).click()
      await seeToast(page, 'Token required', 'Please enter a secure token to test the endpoint')
    },
  ],
  [
    'Use for Testing, then tested',
    'the token goes into examples and test; a real answer',
    '§2, §7',
    async ({ page, account }) => {
      await page.getByRole('button', { name: 'Use for Testing: Backend' }).click()
      await page.getByText(`Bearer ${account?.token}`).first().waitFor()
      expect(await page.getByLabel('Secure Token', { exact: true }).inputValue()).toBe(account?.token)
      await page.getByRole('button', { name: 'Test Endpoint' }).click()
      await page.getByLabel('test response', { exact: true }).getByText('chat.completion').first().waitFor()
    },
    { as: 'caller', before: ({ page, url }) => confirmPassword(page, url) },
  ],
  [
    'test with a wrong token',
    'toast API test failed with error.message',
    '§8',
    async ({ page }) => {
      await page.getByLabel('Secure Token', { exact: true }).fill('st_wrong')
      await page.getByRole('button', { name: 'Test Endpoint' }).click()
      await seeToast(page, 'API test failed', /The secure token is not valid/)
    },
  ],
  [
    'test fails without a message',
    'toast API test failed / Unknown error occurred',
    '§8',
    async ({ page }) => {
      await answer(page, 'POST', '/api/proxy/v1/chat/completions', 500, '<html>', 'text/html')
      await page.getByLabel('Secure Token', { exact: true }).fill('st_x')
      await page.getByRole('button', { name: 'Test Endpoint' }).click()
      await seeToast(page, 'API test failed', 'Unknown error occurred')
    },
  ],
  [
    'test without a network',
    'toast Failed to connect to the API endpoint',
    '§8',
    async ({ page }) => {
      await page.route('**/api/proxy/v1/**', (route) => route.abort())
      await page.getByLabel('Secure Token', { exact: true }).fill('st_x')
      await page.getByRole('button', { name: 'Test Endpoint' }).click()
      await seeToast(page, 'Failed to connect to the API endpoint')
    },
  ],
  [
    'no token yet',
    'says why and leads to one',
    'decisions, Screens',
    async ({ page }) => {
      await see(page, 'No secure tokens yet')
      await page.getByRole('link', { name: 'Create Token' }).click()
      await settles(() => new URL(page.url()).pathname, '/secure-tokens')
    },
    { as: 'newcomer' },
  ],
])
