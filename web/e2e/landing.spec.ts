import { expect } from '@playwright/test'
import { openPage, see, watchCalls } from './support/assertions.ts'
import { hold, respond } from './support/intercept.ts'
import { test } from './support/test.ts'

test.use({ visitor: 'nobody' })

test('signed out: product, API of the provider, features, copyright', async ({ page }) => {
  await openPage(page, '/')
  await see(page, 'Sallyport', 'API Gateway', 'Secure OpenAI API Proxy', 'Ready to get started?')
  await see(page, 'Secure Proxy', 'High Performance', 'API Key Management', 'Analytics Dashboard')
  await expect(page.getByText(/^© \d{4}/)).toBeVisible()
})

test('Sign In pressed: goes to /auth', async ({ page }) => {
  await openPage(page, '/')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL('/auth')
})

for (const name of ['Get Started', 'Sign In Now']) {
  test(`${name} pressed: browser navigates to /api/login`, async ({ page }) => {
    const calls = watchCalls(page)
    await openPage(page, '/')
    await page.getByRole('button', { name }).click()
    await expect(page).toHaveURL('/auth')
    expect(calls).toContain('GET /api/login')
  })
}

test('Learn More pressed: scrolls to the feature cards', async ({ page }) => {
  await openPage(page, '/')
  await page.setViewportSize({ width: 390, height: 600 })
  await page.getByRole('button', { name: 'Learn More' }).click()
  await expect(page.locator('#features')).toBeInViewport({ ratio: 0.3 })
})

test('user look-up under way: full-screen spinner with Loading...', async ({ page }) => {
  await openPage(page, '/')
  const release = await hold(page, 'GET', '/api/user')
  await page.reload()
  await see(page, 'Loading...')
  release()
  await see(page, 'Learn More')
})

for (const path of ['/nowhere', '/api-keys']) {
  test(`${path}, unknown or protected: not found`, async ({ page }) => {
    await openPage(page, path)
    await see(page, '404 Page Not Found', 'Did you forget to add the page to the router?')
    await expect(page.getByRole('navigation')).toHaveCount(0)
  })
}

test('gateway broken: says so and offers to try again', async ({ page }) => {
  await respond(page, 'GET', '/api/user', 503, 'upstream down', 'text/plain')
  await openPage(page, '/')
  await see(page, 'The gateway does not answer', 'Try again')
})
