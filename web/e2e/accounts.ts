import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { APIRequestContext, Browser, BrowserContextOptions, Page } from 'playwright-core'
import { operatorAccount } from '#tools/stack/operator.ts'

export const password = 'correct horse battery'

type StorageState = NonNullable<BrowserContextOptions['storageState']>
export type Account = { username: string; token: string | null; storageState: StorageState }

/**
 * Who looks at a screen: nobody signed in, an account without anything, one with everything, whose two requests stay
 * two, one that sends from the tester, one that sends with a token, and one that runs the installation.
 */
export type Visitor = 'nobody' | 'newcomer' | 'regular' | 'sender' | 'caller' | 'operator'
export type Accounts = Record<Exclude<Visitor, 'nobody'>, Account>

async function call(request: APIRequestContext, origin: string, path: string, data: object) {
  const response = await request.post(origin + path, { data, headers: { origin } })
  if (!response.ok()) throw new Error(`POST ${path}: ${response.status()} ${await response.text()}`)
  return response.json()
}

/** `providerFaults`: what the sample provider does with its keys, as in `.chunks=20`. */
type Belongings = { keys: string[]; providerFaults?: string; token?: string; requests: number }

/** Registers an account and gives it what is asked for. Requests need a key and a token. */
export async function createAccount(
  browser: Browser,
  origin: string,
  name: string,
  { keys, providerFaults = '', token: tokenName, requests }: Belongings,
): Promise<Account> {
  const context = await browser.newContext()
  const { request } = context
  const username = `${name}-${randomUUID().slice(0, 8)}`
  const person = { firstName: 'Ada', lastName: 'Lovelace' }
  await call(request, origin, '/api/register', { username, email: `${username}@example.com`, password, ...person })
  for (const key of keys)
    await call(request, origin, '/api/keys', { name: key, key: `sk-${randomUUID()}${providerFaults}` })
  const created: { token: string } | null = tokenName
    ? await call(request, origin, '/api/tokens', { name: tokenName })
    : null
  for (let sent = 0; sent < requests; sent++) {
    const response = await request.post(`${origin}/api/proxy/v1/chat/completions`, {
      headers: { authorization: `Bearer ${created?.token ?? ''}` },
      data: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] },
    })
    if (!response.ok()) throw new Error(`The sample provider answered ${response.status()}`)
  }
  if (requests > 0) await untilStored(request, origin, requests)
  const storageState = await context.storageState()
  await context.close()
  return { username, token: created?.token ?? null, storageState }
}

/** Waits until the history has the requests that were sent: they get there a moment after their answers. */
async function untilStored(request: APIRequestContext, origin: string, requests: number) {
  let stored = 0
  for (const deadline = Date.now() + 30_000; stored < requests; await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`${stored} of ${requests} requests are stored after 30 s`)
    const stats: { totalRequests: number } = await (await request.get(`${origin}/api/stats`)).json()
    stored = stats.totalRequests
  }
}

/** Confirms the password, for accounts that signed in before many other tests. */
export async function confirmPassword(page: Page, origin: string) {
  const data = { currentPassword: password }
  const response = await page.request.post(`${origin}/api/user/confirm`, { data, headers: { origin } })
  if (!response.ok()) throw new Error(`POST /api/user/confirm: ${response.status()}`)
}

/** Signs the page's window in as somebody new, for what must not happen to an account that others look at. */
export async function becomeSomebodyNew(page: Page, origin: string, name: string) {
  const browser = page.context().browser()
  if (!browser) throw new Error('The context has no browser')
  const { storageState } = await createAccount(browser, origin, name, { keys: [], requests: 0 })
  await page.context().clearCookies()
  await page.context().addCookies(typeof storageState === 'string' ? [] : storageState.cookies)
}

/** The account that runs the stack. */
async function openOperator(browser: Browser, origin: string): Promise<Account> {
  const context = await browser.newContext()
  const { username, password: secret } = operatorAccount
  await call(context.request, origin, '/api/login', { username, password: secret })
  const storageState = await context.storageState()
  await context.close()
  return { username, token: null, storageState }
}

/** The accounts that the tests of a file share. */
export async function createAccounts(browser: Browser, origin: string): Promise<Accounts> {
  return {
    newcomer: await createAccount(browser, origin, 'newcomer', { keys: [], requests: 0 }),
    regular: await createAccount(browser, origin, 'regular', {
      keys: ['Production', 'Backup'],
      token: 'Backend',
      requests: 2,
    }),
    sender: await createAccount(browser, origin, 'sender', {
      keys: ['Production'],
      providerFaults: '.chunks=600.chunk-delay-ms=200',
      requests: 0,
    }),
    caller: await createAccount(browser, origin, 'caller', { keys: ['Production'], token: 'Backend', requests: 0 }),
    operator: await openOperator(browser, origin),
  }
}
