import { expect } from 'vitest'
import { answer, hold, see, watchCalls } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

const calls = new WeakMap<object, string[]>()

export const landingRows = checklist('Landing', { as: 'nobody', path: '/' }, [
  ['signed out', 'product name and tagline', '§2', ['Sallyport', 'API Gateway']],
  ['signed out', 'hero names the provider’s API', '§2', ['Secure OpenAI API Proxy']],
  [
    'signed out',
    'four feature cards',
    '§2',
    ['Secure Proxy', 'High Performance', 'API Key Management', 'Analytics Dashboard'],
  ],
  ['signed out', 'closing card', '§2', ['Ready to get started?']],
  ['signed out', 'copyright line', '§2', ({ page }) => page.getByText(/^© \d{4}/).waitFor()],
  [
    'Sign In pressed',
    'goes to /auth',
    '§2',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
      await page.waitForURL('**/auth')
    },
  ],
  ...['Get Started', 'Sign In Now'].map(
    (name) =>
      [
        `${name} pressed`,
        'browser navigates to /api/login',
        '§2, §7',
        async ({ page }) => {
          await page.getByRole('button', { name }).click()
          await page.waitForURL('**/auth')
          expect(calls.get(page)).toContain('GET /api/login')
        },
        { before: async ({ page }) => calls.set(page, watchCalls(page)) },
      ] as const satisfies Parameters<typeof checklist>[2][number],
  ),
  [
    'Learn More pressed',
    'scrolls to the feature cards',
    'decisions, Screens',
    async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 600 })
      await page.getByRole('button', { name: 'Learn More' }).click()
      await expect
        .poll(() => page.locator('#features').evaluate((element) => element.getBoundingClientRect().top < 300))
        .toBe(true)
    },
  ],
  [
    'user look-up under way',
    'full-screen spinner with Loading...',
    '§2',
    async ({ page }) => {
      const letGo = await hold(page, 'GET', '/api/user')
      await page.reload()
      await see(page, 'Loading...')
      letGo()
      await see(page, 'Learn More')
    },
  ],
  [
    'unknown path',
    'not-found',
    '§2',
    async ({ page }) => {
      await see(page, '404 Page Not Found', 'Did you forget to add the page to the router?')
      expect(await page.getByRole('navigation').count()).toBe(0)
    },
    { path: '/nowhere' },
  ],
  ['protected path', 'not-found', '§2, §6', ['404 Page Not Found'], { path: '/api-keys' }],
  [
    'gateway broken',
    'says so and offers to try again',
    'decisions, Screens',
    ['The gateway does not answer', 'Try again'],
    { before: ({ page }) => answer(page, 'GET', '/api/user', 503, 'upstream down', 'text/plain') },
  ],
])
