import { expect, type Page } from '@playwright/test'
import { type Account, createAccount, logIn } from './support/accounts.ts'
import { openPage } from './support/assertions.ts'
import { pressAt } from './support/keyboard.ts'
import { test } from './support/test.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Another account has signed in' })
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' })

async function signInAs({ username }: Account, page: Page) {
  await logIn(page, username)
  await expect(signOut(page)).toBeVisible()
}

test.use({ visitor: 'guest' })

test('a sign-out in one tab ends the other, and a sign-in there brings it back', async ({
  page,
  context,
  origin,
  signInAsNewAccount,
}) => {
  await signInAsNewAccount('ann')
  const second = await context.newPage()
  await openPage(page, '/api-keys')
  await openPage(second, '/')
  await signOut(second).click()
  await expect(page).toHaveURL('/auth')
  await expect(second).toHaveURL('/auth')
  await signInAs(await createAccount(origin, 'bob'), second)
  await expect(signOut(page)).toBeVisible()
})

test('a sign-in as another account is reported at once, and the tab can be reloaded by keyboard', async ({
  page,
  context,
  origin,
  signInAsNewAccount,
}) => {
  const ann = await signInAsNewAccount('ann')
  const bob = await createAccount(origin, 'bob')
  const second = await context.newPage()
  await openPage(page, '/profile')
  await context.clearCookies()
  await openPage(second, '/auth')
  const username = page.getByLabel('Username')
  await expect(username).toHaveValue(ann.username)
  await signInAs(bob, second)
  await expect(dialogOf(page)).toBeVisible()
  await pressAt(dialogOf(page).getByRole('button', { name: 'Reload' }))
  await expect(username).toHaveValue(bob.username)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a tab that does not know of another sign-in saves nothing to the other account, and says so', async ({
    page,
    signInAsNewAccount,
  }) => {
    const bob = await signInAsNewAccount('bob')
    await openPage(page, '/proxy-config')
    const attempts = page.getByLabel('Retry Attempts')
    await attempts.fill('7')
    await signInAsNewAccount('other')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialogOf(page).getByText(bob.username)).toBeVisible()
    await expect.poll(() => dialogOf(page).boundingBox()).toMatchObject({ x: 12, width: 366 })
    const config = await page.request.get('/api/proxy/config')
    expect(await config.json()).not.toMatchObject({ retryAttempts: 7 })
    // The typed text can still be copied.
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toBeHidden()
    await expect(attempts).toHaveValue('7')
  })
})
