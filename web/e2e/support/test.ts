import { expect, test as base } from '@playwright/test'
import { type Account, createAccount, createSignIn, type SignIn, type Visitor } from './accounts.ts'

interface TestFixtures {
  /** The account that the page is signed in to. */
  visitor: Visitor
  /** The visitor's account. */
  account: Account
  /** Replaces the page's session with that of a new account, for tests that change or delete it. */
  signInAsNewAccount: (name: string) => Promise<Account>
}

interface WorkerFixtures {
  /** Origin of the gateway. */
  origin: string
  signIn: SignIn
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  origin: [process.env['STACK_URL'] ?? '', { scope: 'worker', option: true }],
  signIn: [async ({ origin }, use) => use(createSignIn(origin)), { scope: 'worker' }],
  baseURL: ({ origin }, use) => use(origin),
  visitor: ['regular', { option: true }],
  account: async ({ signIn, visitor }, use) => {
    if (visitor === 'guest') throw new Error('a guest has no account')
    await use(await signIn(visitor))
  },
  storageState: async ({ signIn, visitor }, use) =>
    use(visitor === 'guest' ? undefined : (await signIn(visitor)).storageState),
  page: async ({ page }, use) => {
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await use(page)
    // A route handler that is still waiting would fail the next test.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(errors).toEqual([])
  },
  signInAsNewAccount: ({ context, origin }, use) =>
    use(async (name) => {
      const account = await createAccount(origin, name)
      await context.clearCookies()
      await context.addCookies(account.storageState.cookies)
      return account
    }),
})
