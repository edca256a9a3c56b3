import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { password } from '../accounts.ts'
import { type ProblemCode, problems } from '#schemas/problems.ts'
import { answer, fail, failureText, hold, see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist, type Visit } from '../checklist-table.ts'

const fillLogin = async ({ page }: Visit, username: string, secret: string) => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(secret)
}

const refuseLogin = ({ page }: Visit, code: ProblemCode) =>
  answer(page, 'POST', '/api/login', 401, { type: 'about:blank', code, instance: 'r1', ...problems[code] })

const fillRegister = async ({ page }: Visit, username: string) => {
  await page.getByRole('tab', { name: 'Register' }).click()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password').fill(password)
}

export const authRows = checklist('Auth', { as: 'nobody', path: '/auth' }, [
  ['opened', 'tabs Login and Register', '§2', ['Login', 'Register']],
  ['large screen', 'side panel', '§2', ['Secure & Private', 'High Performance', 'Developer Friendly']],
  [
    'Register tab',
    'names are optional, email is of email type',
    '§2',
    async ({ page }) => {
      await page.getByRole('tab', { name: 'Register' }).click()
      await settles(() => page.getByText('Optional').count(), 2)
      expect(await page.getByLabel('Email').getAttribute('type')).toBe('email')
    },
  ],
  [
    'login with empty fields',
    'toast Missing fields, nothing sent, focus on the first field',
    '§5',
    async ({ page }) => {
      const calls = watchCalls(page)
      await page.getByRole('button', { name: 'Login' }).click()
      await seeToast(page, 'Missing fields', 'Please fill in all required fields.')
      expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username')
    },
  ],
  [
    'register with empty fields',
    'toast Missing fields',
    '§5',
    async ({ page }) => {
      await page.getByRole('tab', { name: 'Register' }).click()
      await page.getByRole('button', { name: 'Create Account' }).click()
      await seeToast(page, 'Missing fields', 'Please fill in all required fields.')
    },
  ],
  [
    'wrong password',
    'toast Login failed',
    '§8',
    async (visit) => {
      await fillLogin(visit, 'nobody-here', 'wrong password')
      await visit.page.getByRole('button', { name: 'Login' }).click()
      await seeToast(visit.page, 'Login failed', 'Wrong username or password.')
    },
  ],
  [
    'server broken',
    'toast Registration failed with what to do',
    '§8',
    async (visit) => {
      await fillRegister(visit, 'somebody')
      await visit.page.getByRole('button', { name: 'Create Account' }).click()
      await seeToast(visit.page, 'Registration failed', failureText)
    },
    { before: ({ page }) => fail(page, 'POST', '/api/register') },
  ],
  [
    'login under way',
    'Logging in..., inputs disabled, sent once',
    '§2, decisions, Screens',
    async (visit) => {
      const { page } = visit
      const calls = watchCalls(page)
      const letGo = await hold(page, 'POST', '/api/login')
      await fillLogin(visit, 'nobody-here', 'wrong password')
      await page.getByRole('button', { name: 'Login' }).dblclick()
      await page.getByRole('button', { name: 'Logging in...' }).waitFor()
      expect(await page.getByLabel('Username').isDisabled()).toBe(true)
      letGo()
      await seeToast(page, 'Login failed')
      expect(calls.filter((call) => call === 'POST /api/login')).toHaveLength(1)
    },
  ],
  [
    'second step asked for',
    'the code field takes the focus; a wrong code is said there and keeps it',
    'decisions, Profile',
    async (visit) => {
      const { page } = visit
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
      await refuseLogin(visit, 'two-factor-required')
      await fillLogin(visit, 'ada', password)
      await page.getByRole('button', { name: 'Login' }).click()
      await settles(focused, 'code')
      await refuseLogin(visit, 'two-factor-invalid')
      await page.keyboard.type('000000')
      await page.keyboard.press('Enter')
      await page.locator('[role=alert], [aria-invalid=true]').first().waitFor()
      await see(page, problems['two-factor-invalid'].detail)
      await settles(focused, 'code')
    },
  ],
  [
    'registration under way, then done',
    'Creating account..., toast, dashboard at /',
    '§2, §4, §8',
    async (visit) => {
      const { page, url } = visit
      const letGo = await hold(page, 'POST', '/api/register')
      await fillRegister(visit, `checklist-${randomUUID().slice(0, 8)}`)
      await page.getByRole('button', { name: 'Create Account' }).click()
      await page.getByRole('button', { name: 'Creating account...' }).waitFor()
      letGo()
      await seeToast(page, 'Account created!', 'Your account has been created and you are now logged in.')
      await page.waitForURL(`${url}/`)
      await see(page, 'Dashboard')
    },
  ],
  [
    'registration by invitation',
    'Invite Code is asked for and sent; a refused one is told at its field',
    'decisions, Operator',
    async (visit) => {
      const { page } = visit
      await fillRegister(visit, `checklist-${randomUUID().slice(0, 8)}`)
      await page.getByLabel('Invite Code').fill('made-up')
      const sent = page.waitForRequest((request) => request.url().endsWith('/api/register'))
      await page.getByRole('button', { name: 'Create Account' }).click()
      expect((await sent).postDataJSON()).toMatchObject({ inviteCode: 'made-up' })
      await seeToast(page, 'Registration failed')
      await settles(() => page.getByLabel('Invite Code').getAttribute('aria-invalid'), 'true')
    },
    {
      before: async ({ page }) => {
        await answer(page, 'GET', '/api/registration', 200, { mode: 'invite', sendsMail: false })
        await answer(page, 'POST', '/api/register', 403, {
          type: 'about:blank',
          title: 'Invite not valid',
          status: 403,
          code: 'invite-invalid',
          detail: 'This invite code is not valid.',
          instance: 'r1',
        })
      },
    },
  ],
  [
    'registration closed',
    'says so and asks for nothing',
    'decisions, Operator',
    async ({ page }) => {
      await page.getByRole('tab', { name: 'Register' }).click()
      await see(page, 'Nobody can create an account on this server by themselves. Ask its operator for one.')
      expect(await page.getByRole('button', { name: 'Create Account' }).count()).toBe(0)
    },
    { before: ({ page }) => answer(page, 'GET', '/api/registration', 200, { mode: 'closed', sendsMail: false }) },
  ],
  [
    'login done',
    'toast Welcome back!, dashboard at /',
    '§4, §8',
    async (visit) => {
      const { page, url, account } = visit
      await page.context().clearCookies()
      await page.goto(`${url}/auth`)
      await fillLogin(visit, account?.username ?? '', password)
      await page.getByRole('button', { name: 'Login' }).click()
      await seeToast(page, 'Welcome back!', 'You have been logged in successfully.')
      await page.waitForURL(`${url}/`)
    },
    { as: 'newcomer' },
  ],
  [
    'already signed in',
    'redirected to /',
    '§2',
    async ({ page, url }) => {
      await page.waitForURL(`${url}/`)
      await see(page, 'Dashboard')
    },
    { as: 'newcomer' },
  ],
])
