import { expect } from 'vitest'
import { problems } from '#schemas/problems.ts'
import { answer, see, seeToast } from '../assertions.ts'
import { checklist, type Visit } from '../checklist-table.ts'

const secret = 'c2VjcmV0'
const sendMail = ({ page }: Visit) => answer(page, 'GET', '/api/registration', 200, { mode: 'open', sendsMail: true })
const bodyOf = async ({ page }: Visit, path: string, act: () => Promise<unknown>) => {
  const sent = page.waitForRequest((request) => request.url().endsWith(path))
  await act()
  return (await sent).postDataJSON()
}

export const mailedLinkRows = checklist('Links in mails', { as: 'nobody', path: '/auth' }, [
  [
    'Forgot password? where no mails are sent',
    'the operator can reset it',
    'decisions, Sign-in',
    async ({ page }) => {
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await see(page, 'This server sends no mails. Its operator can reset your password.')
      expect(await page.getByLabel('Email').count()).toBe(0)
      await page.getByRole('link', { name: 'Back to sign in' }).click()
      await page.getByLabel('Username').waitFor()
    },
  ],
  [
    'an address is sent',
    'says the same for each',
    'decisions, Sign-in',
    async (visit) => {
      const { page } = visit
      await page.getByLabel('Email').fill('nobody')
      await page.getByRole('button', { name: 'Send Link' }).click()
      await see(page, 'Invalid email address')
      await page.getByLabel('Email').fill('ada@example.com')
      const body = await bodyOf(visit, '/api/forgot-password', () =>
        page.getByRole('button', { name: 'Send Link' }).click(),
      )
      expect(body).toEqual({ email: 'ada@example.com' })
      await see(page, 'Look into your mails')
    },
    {
      path: '/forgot-password',
      before: async (visit) => {
        await sendMail(visit)
        await answer(visit.page, 'POST', '/api/forgot-password', 202, '')
      },
    },
  ],
  [
    'link for a new password',
    'set by the secret behind the #, then signed in with it',
    'decisions, Sign-in',
    async (visit) => {
      const { page, url } = visit
      await page.getByLabel('New Password').fill('another long secret')
      await page.getByLabel('Confirm Password').fill('another')
      await page.getByRole('button', { name: 'Update Password' }).click()
      await see(page, "Passwords don't match")
      await page.getByLabel('Confirm Password').fill('another long secret')
      const body = await bodyOf(visit, '/api/reset-password', () =>
        page.getByRole('button', { name: 'Update Password' }).click(),
      )
      expect(body).toEqual({ secret, newPassword: 'another long secret', confirmPassword: 'another long secret' })
      await see(page, 'Your password is set')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${url}/auth`)
    },
    {
      path: `/reset-password#${secret}`,
      before: ({ page }) => answer(page, 'POST', '/api/reset-password', 204, ''),
    },
  ],
  [
    'link that was used before',
    'says what to do',
    'decisions, Sign-in',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Confirm Address' }).click()
      await seeToast(page, 'Confirmation failed', problems['link-invalid'].detail)
    },
    { path: `/confirm-email#${secret}` },
  ],
  [
    'link that confirms',
    'asks before it does',
    'decisions, Sign-in',
    async (visit) => {
      const { page } = visit
      const body = await bodyOf(visit, '/api/confirm-email', () =>
        page.getByRole('button', { name: 'Confirm Address' }).click(),
      )
      expect(body).toEqual({ secret })
      await see(page, 'The address is confirmed.')
    },
    {
      as: 'newcomer',
      path: `/confirm-email#${secret}`,
      before: ({ page }) => answer(page, 'POST', '/api/confirm-email', 204, ''),
    },
  ],
  [
    'profile with an address that is not confirmed',
    'says so and sends the mail again',
    'decisions, Sign-in',
    async ({ page }) => {
      await see(page, 'Your email address is not confirmed')
      await page.getByRole('button', { name: 'Send Again' }).click()
      await seeToast(page, 'Confirmation sent')
    },
    {
      as: 'newcomer',
      path: '/profile',
      before: async (visit) => {
        await sendMail(visit)
        await answer(visit.page, 'POST', '/api/user/email-confirmation', 202, '')
      },
    },
  ],
])
