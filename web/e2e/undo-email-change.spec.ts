import { expect } from '@playwright/test'
import { openPage, see, seeToast } from './support/assertions.ts'
import { respond } from './support/intercept.ts'
import { test } from './support/test.ts'

test.use({ visitor: 'nobody' })

test('undone by the link in the mail: asks first; says that sessions have ended, and leads to the sign-in', async ({
  page,
}) => {
  await respond(page, 'POST', '/api/email-change/undo', 204, '')
  await openPage(page, '/undo-email-change#secret')
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await see(page, 'The email address is as it was')
  await expect(page.getByText('Every session of the account was ended.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/auth')
})

test('a link that was used before: toast Not undone, with the reason', async ({ page }) => {
  await openPage(page, '/undo-email-change#secret')
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await seeToast(page, 'Not undone', 'This link is not valid: it was used before, or is too old.')
})
