import { answer, see, seeToast } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

const start = { as: 'nobody', path: '/undo-email-change#secret' } as const

export const undoEmailChangeRows = checklist('Email change', start, [
  [
    'undone by the link in the mail',
    'asks first; says that sessions have ended, and leads to the sign-in',
    'decisions, Safety',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Undo the change' }).click()
      await see(page, 'The email address is as it was')
      await page.getByText('Every session of the account was ended.').waitFor()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL('**/auth')
    },
    { before: ({ page }) => answer(page, 'POST', '/api/email-change/undo', 204, '') },
  ],
  [
    'a link that was used before',
    'toast Not undone, with the reason',
    'decisions, Safety',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Undo the change' }).click()
      await seeToast(page, 'Not undone', 'This link is not valid: it was used before, or is too old.')
    },
  ],
])
