import { expect, type Page } from '@playwright/test'
import { problems } from '#schemas/problems.ts'
import { openPage, see, seeToast } from './support/assertions.ts'
import { hold, respond } from './support/intercept.ts'
import { test } from './support/test.ts'

const secret = 'c2VjcmV0'

const sendMail = (page: Page) => respond(page, 'GET', '/api/registration', 200, { mode: 'open', sendsMail: true })

/** Runs `act` and returns the body that the page sends to `path`. */
const bodyOf = async (page: Page, path: string, act: () => Promise<unknown>) => {
  const sent = page.waitForRequest((request) => request.url().endsWith(path))
  await act()
  return (await sent).postDataJSON()
}

test.use({ visitor: 'guest' })

test('Forgot password? An address is sent, which says the same for each; a link leads back', async ({ page }) => {
  await sendMail(page)
  await respond(page, 'POST', '/api/forgot-password', 202, '')
  await openPage(page, '/auth')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email').fill('nobody')
  await page.getByRole('button', { name: 'Send Link' }).click()
  await see(page, 'Invalid email address')
  await page.getByLabel('Email').fill('ada@example.com')
  const body = await bodyOf(page, '/api/forgot-password', () => page.getByRole('button', { name: 'Send Link' }).click())
  expect(body).toEqual({ email: 'ada@example.com' })
  await see(page, 'Look into your mails')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('link for a new password: set by the secret behind the #, then signed in with it', async ({ page }) => {
  await respond(page, 'POST', '/api/reset-password', 204, '')
  await openPage(page, '/reset-password#bGFzdA')
  await page.getByLabel('New Password').fill('an older long secret')
  await page.getByLabel('Confirm Password').fill('an older long secret')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await see(page, 'Your password is set')
  // A newer link, opened in the same tab: the document stays.
  await page.goto(`/reset-password#${secret}`)
  await page.getByLabel('New Password').fill('another long secret')
  await page.getByLabel('Confirm Password').fill('another')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await see(page, "Passwords don't match")
  await page.getByLabel('Confirm Password').fill('another long secret')
  const body = await bodyOf(page, '/api/reset-password', () =>
    page.getByRole('button', { name: 'Update Password' }).click(),
  )
  expect(body).toEqual({ secret, newPassword: 'another long secret', confirmPassword: 'another long secret' })
  await see(page, 'Your password is set')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/auth')
})

test('links that were used before: each says what to do', async ({ page }) => {
  for (const [path, button, title] of [
    ['/confirm-email', 'Confirm Address', 'Confirmation failed'],
    ['/undo-email-change', 'Undo the change', 'Not undone'],
  ] as const) {
    await openPage(page, `${path}#${secret}`)
    await page.getByRole('button', { name: button }).click()
    await seeToast(page, title, problems['link-invalid'].detail)
  }
})

test('email change undone by the link in the mail: asks first; says that sessions have ended, and leads to the sign-in', async ({
  page,
}) => {
  await respond(page, 'POST', '/api/email-change/undo', 204, '')
  await openPage(page, `/undo-email-change#${secret}`)
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await see(page, 'The email address is as it was')
  await expect(page.getByText('Every session of the account was ended,')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/auth')
})

test.describe('signed in', () => {
  test.use({ visitor: 'newcomer' })

  test('link that confirms: asks before it does, and stays the same when the sidebar is skipped', async ({ page }) => {
    await respond(page, 'POST', '/api/confirm-email', 204, '')
    await openPage(page, `/confirm-email#${secret}`)
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await expect(page.locator('#main')).toBeFocused()
    const body = await bodyOf(page, '/api/confirm-email', () =>
      page.getByRole('button', { name: 'Confirm Address' }).click(),
    )
    expect(body).toEqual({ secret })
    await see(page, 'The address is confirmed.')
    await page.goto('/confirm-email#bmV3ZXI')
    await expect(page.getByRole('button', { name: 'Confirm Address' })).toBeVisible()
  })

  test('profile with an address that is not confirmed: says so below what it has, and sends the mail again', async ({
    page,
  }) => {
    await sendMail(page)
    await respond(page, 'POST', '/api/user/email-confirmation', 202, '')
    const release = await hold(page, 'GET', '/api/registration')
    await openPage(page, '/profile')
    await see(page, 'Personal Information')
    release()
    await see(page, 'Your email address is not confirmed')
    await page.getByRole('button', { name: 'Send Again' }).click()
    await seeToast(page, 'Confirmation sent')
  })
})
