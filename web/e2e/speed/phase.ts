import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test'
import type { Figure } from '#tools/bench/screens/figure.ts'

export type Bench = {
  url: string
  runs: number
  /** A browser context with an empty cache. */
  open: (as: 'guest' | 'analyst') => Promise<BrowserContext>
}

export type Phase = (bench: Bench) => Promise<Figure[]>

export const atMost = (value: number) => ({ is: 'at most', value }) as const
export const atLeast = (value: number) => ({ is: 'at least', value }) as const

/** Signs the account in once; every analyst context starts with that session. */
export async function createBench(
  browser: Browser,
  { url, runs, account }: { url: string; runs: number; account: object },
): Promise<Bench> {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext()
  const login = await context.request.post(`${url}/api/login`, { data: account, headers: { origin: url } })
  if (!login.ok()) throw new Error(`POST /api/login: ${login.status()} ${await login.text()}`)
  const storageState: BrowserContextOptions['storageState'] = await context.storageState()
  await context.close()
  return {
    url,
    runs,
    open: (as) => browser.newContext({ viewport, ...(as === 'analyst' && { storageState }) }),
  }
}
