import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { problems } from '#schemas/problems.ts'
import { logIn, password } from './support/accounts.ts'
import { openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { fail, failureText, hold, respond, respondWithProblem } from './support/intercept.ts'
import { test } from './support/test.ts'

const fillRegister = async (page: Page, username: string) => {
  await page.getByRole('tab', { name: 'Register' }).click()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password').fill(password)
}

const newName = () => `new-${randomUUID().slice(0, 8)}`

test.use({ visitor: 'guest' })

test('login: empty, a toast, nothing sent, focus on the first field; under way, sent once; wrong password, a toast', async ({
  page,
}) => {
  await openPage(page, '/auth')
  await see(page, 'Secure & Private', 'High Performance', 'Developer Friendly')
  const calls = watchCalls(page)
  await page.getByRole('button', { name: 'Login' }).click()
  await seeToast(page, 'Missing fields', 'Please fill in all required fields.')
  await expect(page.getByLabel('Username')).toBeFocused()
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
  const release = await hold(page, 'POST', '/api/login')
  await page.getByLabel('Username').fill('no-such-user')
  await page.getByLabel('Password').fill('wrong password')
  await page.getByRole('button', { name: 'Login' }).dblclick()
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeVisible()
  await expect(page.getByLabel('Username')).toBeDisabled()
  release()
  await seeToast(page, 'Login failed', 'Wrong username or password.')
  expect(calls.filter((call) => call === 'POST /api/login')).toHaveLength(1)
})

test('register: names optional; empty, toast Missing fields; server broken, toast Registration failed', async ({
  page,
}) => {
  await fail(page, 'POST', '/api/register')
  await openPage(page, '/auth')
  await page.getByRole('tab', { name: 'Register' }).click()
  await expect(page.getByText('Optional')).toHaveCount(2)
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await seeToast(page, 'Missing fields', 'Please fill in all required fields.')
  await fillRegister(page, 'somebody')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await seeToast(page, 'Registration failed', failureText)
})

test('second step asked for: the code field takes the focus; a wrong code is reported there and keeps it', async ({
  page,
}) => {
  await openPage(page, '/auth')
  await respondWithProblem(page, 'POST', '/api/login', 'two-factor-required')
  await logIn(page, 'ada')
  await expect(page.locator('[name=code]')).toBeFocused()
  await respondWithProblem(page, 'POST', '/api/login', 'two-factor-invalid')
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(page.locator('[role=alert], [aria-invalid=true]').first()).toBeVisible()
  await see(page, problems['two-factor-invalid'].detail)
  await expect(page.locator('[name=code]')).toBeFocused()
})

test('registration under way, then done: Creating account..., toast, dashboard at /', async ({ page }) => {
  await openPage(page, '/auth')
  const loaded = Promise.withResolvers<void>()
  await page.route('**/assets/signed-in-*.js', (route) => loaded.promise.then(() => route.continue()))
  const release = await hold(page, 'POST', '/api/register')
  await fillRegister(page, newName())
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('button', { name: 'Creating account...' })).toBeVisible()
  release()
  await seeToast(page, 'Account created!', 'Your account has been created and you are now logged in.')
  await expect(page.getByRole('button', { name: 'Creating account...' })).toBeDisabled()
  loaded.resolve()
  await expect(page).toHaveURL('/')
  await see(page, 'Dashboard')
})

test('registration by invitation: Invite Code is asked for and sent; an invalid one is reported at its field', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/registration', 200, { mode: 'invite', sendsMail: false })
  await respondWithProblem(page, 'POST', '/api/register', 'invite-invalid')
  await openPage(page, '/auth')
  await fillRegister(page, newName())
  await page.getByLabel('Invite Code').fill('made-up')
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/register'))
  await page.getByRole('button', { name: 'Create Account' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ inviteCode: 'made-up' })
  await seeToast(page, 'Registration failed')
  await expect(page.getByLabel('Invite Code')).toHaveAttribute('aria-invalid', 'true')
})

test('registration closed: says so and asks for nothing', async ({ page }) => {
  await respond(page, 'GET', '/api/registration', 200, { mode: 'closed', sendsMail: false })
  await openPage(page, '/auth')
  await page.getByRole('tab', { name: 'Register' }).click()
  await see(page, 'Nobody can create an account on this server by themselves. Ask its operator for one.')
  await expect(page.getByRole('button', { name: 'Create Account' })).toHaveCount(0)
})

test.describe('with an account', () => {
  test.use({ visitor: 'newcomer' })

  test('login done: toast Welcome back!, dashboard at /, also for /auth from then on', async ({ page, account }) => {
    await page.context().clearCookies()
    await openPage(page, '/auth')
    await logIn(page, account.username)
    await seeToast(page, 'Welcome back!', 'You have been logged in successfully.')
    await expect(page).toHaveURL('/')
    await openPage(page, '/auth')
    await expect(page).toHaveURL('/')
    await see(page, 'Dashboard')
  })

  test('deep link signed out: not found, and its sign-in leads there', async ({ page, account }) => {
    await page.context().clearCookies()
    await openPage(page, '/profile?tab=security')
    await see(page, '404 Page Not Found')
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await logIn(page, account.username)
    await expect(page).toHaveURL('/profile?tab=security')
  })

  test('session over with a half-filled form: after the sign-in it is there again, without the secret', async ({
    page,
    signInAsNewAccount,
  }) => {
    const { username } = await signInAsNewAccount('typing')
    await openPage(page, '/api-keys?dialog=add')
    await page.getByLabel('Name', { exact: true }).fill('Production')
    await page.getByLabel('API Key', { exact: true }).fill('sk-half-filled')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Add Key' }).click()
    await expect(page).toHaveURL('/auth')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('sk-half')
    await logIn(page, username)
    await expect(page).toHaveURL('/api-keys?dialog=add')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Production')
    await expect(page.getByLabel('API Key', { exact: true })).toHaveValue('')
  })

  test('session over with an edited form: after the sign-in, what was not edited is as it was changed elsewhere', async ({
    page,
    signInAsNewAccount,
  }) => {
    const { username } = await signInAsNewAccount('editing')
    await openPage(page, '/proxy-config')
    await page.getByLabel('Retry Attempts').fill('7')
    const saved = await page.request.get('/api/proxy/config')
    const elsewhere = await page.request.post('/api/proxy/config', {
      data: { ...(await saved.json()), timeout: 45_000 },
    })
    expect(elsewhere.ok()).toBe(true)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await logIn(page, username)
    await expect(page.getByLabel('Retry Attempts')).toHaveValue('7')
    await expect(page.getByLabel(/^Timeout/)).toHaveValue('45000')
  })
})
