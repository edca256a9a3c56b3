import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until each text stands on the screen, exactly so. */
export async function see(page: Page, ...texts: string[]) {
  for (const text of texts) {
    const visible = page.getByText(text, { exact: true }).filter({ visible: true })
    await visible.first().waitFor()
  }
}

/** Waits for the toast with this title, and description where one is given. */
export async function seeToast(page: Page, title: string, description?: string | RegExp) {
  const titled = page.locator('li[data-state=open]').filter({ has: page.getByText(title, { exact: true }) })
  // Looked for together: between two looks a toast can go.
  const toast = description === undefined ? titled : titled.filter({ has: page.getByText(description) })
  await toast.first().waitFor()
}

/** Waits until what `read` gives equals what is expected. */
export const settles = <T>(read: () => T | Promise<T>, expected: T) => expect.poll(read).toEqual(expected)

/** Answers a call in the gateway's place. */
export const answer = (
  page: Page,
  method: string,
  path: string,
  status: number,
  body: unknown,
  type = 'application/json',
) =>
  page.route(
    (url) => url.pathname === path,
    (route) =>
      route.request().method() === method
        ? route.fulfill({ status, contentType: type, body: typeof body === 'string' ? body : JSON.stringify(body) })
        : route.fallback(),
  )

export const fail = (page: Page, method: string, path: string) =>
  answer(page, method, path, 500, {
    type: 'about:blank',
    title: 'Internal error',
    status: 500,
    code: 'internal-error',
    detail: failureText,
    instance: 'r1',
  })

/** Answers a call once as to a session that confirmed its password long ago; from then on the gateway answers. */
export async function demandPassword(page: Page, method: string, path: string) {
  let demanded = false
  const problem = {
    type: 'about:blank',
    title: 'Confirm your password',
    status: 403,
    code: 'confirm_password',
    detail: 'Confirm your password to continue.',
    instance: 'r1',
  }
  await page.route(
    (url) => url.pathname === path,
    (route) => {
      if (demanded || route.request().method() !== method) return route.fallback()
      demanded = true
      return route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify(problem) })
    },
  )
}

export const failureText = 'Something went wrong on our side. Try again; the request id helps us find it.'

/**
 * Keeps a call from now on waiting, so that what shows meanwhile can be looked at for as long as the machine takes.
 * @returns lets it go on
 */
export async function hold(page: Page, method: string, path: string): Promise<() => void> {
  const { promise: isLetGo, resolve } = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() === method) await isLetGo
      await route.fallback()
    },
  )
  return resolve
}

/**
 * Keeps what the page plans for exactly this many ms from now on from happening, so that what shows until then can be
 * looked at for as long as the machine takes.
 */
export async function holdTimers(page: Page, heldMs: number) {
  const waiting = await page.evaluateHandle((held) => {
    const { setTimeout: plan } = window
    const callbacks: (() => void)[] = []
    const planOrHold = (callback: () => void, ms?: number) =>
      ms === held ? callbacks.push(callback) : plan(callback, ms)
    Object.assign(window, { setTimeout: planOrHold })
    return callbacks
  }, heldMs)
  return {
    count: () => waiting.evaluate((callbacks) => callbacks.length),
    letGo: () => waiting.evaluate((callbacks) => callbacks.forEach((callback) => callback())),
  }
}

/** Collects the calls that the page makes, as "GET /api/stats?x=1". */
export function watchCalls(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}${search}`)
  })
  return calls
}
