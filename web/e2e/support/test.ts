import { type BrowserContext, expect, test as base } from '@playwright/test'
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
  /** The context that this worker's tests share. The first of them creates it. */
  sharedContext: () => Promise<BrowserContext>
}

/** For a test that needs a page without a cache, or that changes its page for good: the clock, an init script. */
export const newContext = { tag: '@new-context' }

/** A file of the gateway that runs nothing, unlike its pages. */
const emptyPage = '/theme.js'

/** Events that tests listen to. */
const pageEvents = ['console', 'domcontentloaded', 'pageerror', 'request', 'response']

/**
 * Tests share a page, because a new one costs more than twice the CPU time: it loads and compiles every script again.
 * Each test starts without what the one before has left: cookies, storage, routes, listeners, emulation, other pages.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  origin: [process.env['STACK_URL'] ?? '', { scope: 'worker', option: true }],
  signIn: [async ({ origin }, use) => use(createSignIn(origin)), { scope: 'worker' }],
  sharedContext: [
    ({ browser }, use) => {
      let context: Promise<BrowserContext> | undefined
      return use(() => (context ??= browser.newContext()))
    },
    { scope: 'worker' },
  ],
  baseURL: ({ origin }, use) => use(origin),
  visitor: ['regular', { option: true }],
  account: async ({ signIn, visitor }, use) => {
    if (visitor === 'guest') throw new Error('a guest has no account')
    await use(await signIn(visitor))
  },
  context: async ({ browser, sharedContext, signIn, visitor, viewport, reducedMotion }, use, { tags }) => {
    const isNew = tags.includes(newContext.tag)
    const context = await (isNew ? browser.newContext() : sharedContext())
    const [page, ...others] = context.pages()
    for (const other of others) await other.close()
    // First, because the page before would react to what changes.
    await page?.goto(emptyPage)
    await page?.mouse.move(-1, -1)
    await page?.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()))
    await page?.emulateMedia({ media: null, colorScheme: 'light', reducedMotion, forcedColors: null, contrast: null })
    if (viewport) await page?.setViewportSize(viewport)
    await context.clearCookies()
    if (visitor !== 'guest') await context.addCookies((await signIn(visitor)).storageState.cookies)
    await use(context)
    if (isNew) await context.close()
  },
  page: async ({ context }, use) => {
    const page = context.pages()[0] ?? (await context.newPage())
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await use(page)
    // A route handler that is still waiting would fail the next test.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const event of pageEvents) page.removeAllListeners(event)
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
