import { randomUUID } from 'node:crypto'
import {
  type APIRequestContext,
  type APIResponse,
  type BrowserContextOptions,
  expect,
  type Page,
  request,
} from '@playwright/test'
import { operatorAccount } from '#tools/stack/operator.ts'

export const password = 'correct horse battery'

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>
/** `token` is empty without a secure token. */
export type Account = { username: string; token: string; storageState: StorageState }

interface Resources {
  keys?: string[]
  /** How the sample provider responds to these keys, such as `.chunks=20`. */
  providerFaults?: string
  /** Name of a secure token. */
  token?: string
  /** How many requests to send; they need a key and a token. */
  requests?: number
}

const visitors = {
  newcomer: {},
  /** Tests count its two requests, so none may send another. */
  regular: { keys: ['Production', 'Backup'], token: 'Backend', requests: 2 },
  /** Sends requests from the tester. */
  sender: { keys: ['Production'], providerFaults: '.chunks=600.chunk-delay-ms=200' },
  /** Sends requests with its token. */
  developer: { keys: ['Production'], token: 'Backend' },
} satisfies Record<string, Resources>

/** The account that looks at a screen. A `guest` is not signed in; the `operator` runs the installation. */
export type Visitor = keyof typeof visitors | 'operator' | 'guest'

/** Signs in as a visitor, whose account is created on the first call. */
export type SignIn = (visitor: Exclude<Visitor, 'guest'>) => Promise<Account>

export function createSignIn(origin: string): SignIn {
  const accounts = new Map<Visitor, Promise<Account>>()
  return (visitor) => {
    const account =
      accounts.get(visitor) ??
      (visitor === 'operator' ? signInOperator(origin) : createAccount(origin, visitor, visitors[visitor]))
    accounts.set(visitor, account)
    return account
  }
}

/** Registers an account with the given resources. */
export const createAccount = (origin: string, name: string, resources: Resources = {}): Promise<Account> =>
  withSession(origin, async (session) => {
    const username = `${name}-${randomUUID().slice(0, 8)}`
    const user = { username, email: `${username}@example.com`, password, firstName: 'Ada', lastName: 'Lovelace' }
    await post(session, '/api/register', user)
    const { keys = [], providerFaults = '', requests = 0 } = resources
    for (const key of keys) await post(session, '/api/keys', { name: key, key: `sk-${randomUUID()}${providerFaults}` })
    const token = resources.token ? await createToken(session, resources.token) : ''
    const data = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }
    const headers = { authorization: `Bearer ${token}` }
    for (let sent = 0; sent < requests; sent++) await post(session, '/api/proxy/v1/chat/completions', data, headers)
    const countStored = async () => (await (await session.get('/api/stats')).json()).totalRequests
    await expect.poll(countStored, { timeout: 30_000 }).toBe(requests)
    return { username, token, storageState: await session.storageState() }
  })

const signInOperator = (origin: string): Promise<Account> =>
  withSession(origin, async (session) => {
    const { username, password: secret } = operatorAccount
    await post(session, '/api/login', { username, password: secret })
    return { username, token: '', storageState: await session.storageState() }
  })

async function withSession<T>(origin: string, use: (session: APIRequestContext) => Promise<T>): Promise<T> {
  const session = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } })
  try {
    return await use(session)
  } finally {
    await session.dispose()
  }
}

async function post(session: APIRequestContext, path: string, data: object, headers = {}): Promise<APIResponse> {
  const response = await session.post(path, { data, headers })
  if (!response.ok()) throw new Error(`POST ${path}: ${response.status()} ${await response.text()}`)
  return response
}

const createToken = async (session: APIRequestContext, name: string): Promise<string> =>
  (await (await post(session, '/api/tokens', { name })).json()).token

/** Confirms the password, for accounts that signed in before many other tests. */
export const confirmPassword = (page: Page, origin: string) =>
  post(page.request, '/api/user/confirm', { currentPassword: password }, { origin })

/** Fills in the form of the sign-in page and sends it. */
export async function logIn(page: Page, username: string) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}
