import { expect } from '@playwright/test'
import { openPage, see, watchCalls } from './support/assertions.ts'
import { hold, respond } from './support/intercept.ts'
import { test } from './support/test.ts'

test.use({ visitor: 'guest' })

test('Learn More scrolls to the feature cards; Sign In goes to /auth', async ({ page }) => {
  await openPage(page, '/')
  await page.setViewportSize({ width: 390, height: 600 })
  await page.getByRole('button', { name: 'Learn More' }).click()
  await expect(page.locator('#features')).toBeInViewport({ ratio: 0.3 })
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL('/auth')
})

test('Get Started or Sign In Now pressed: browser navigates to /api/login', async ({ page }) => {
  for (const name of ['Get Started', 'Sign In Now']) {
    await openPage(page, '/')
    const calls = watchCalls(page)
    await page.getByRole('button', { name }).click()
    await expect(page).toHaveURL('/auth')
    expect(calls).toContain('GET /api/login')
  }
})

test('user look-up under way: full-screen spinner with Loading...; gateway broken: says so, and offers to try again', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/user', 503, 'upstream down', 'text/plain')
  const release = await hold(page, 'GET', '/api/user')
  await page.goto('/')
  await see(page, 'Loading...')
  release()
  await see(page, 'The gateway does not respond')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await see(page, 'Learn More')
})
