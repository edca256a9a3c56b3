import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { type ProblemCode, problems } from '#schemas/problems.ts'

export const failureText = 'Something went wrong on our side. Try again; the request id helps us find it.'

/** Responds to a call in place of the gateway. */
export const respond = (
  page: Page,
  method: string,
  path: string,
  status: number,
  body: unknown,
  contentType = 'application/json',
) =>
  page.route(
    (url) => url.pathname === path,
    (route) =>
      route.request().method() === method
        ? route.fulfill({ status, contentType, body: typeof body === 'string' ? body : JSON.stringify(body) })
        : route.fallback(),
  )

/** Changes fields in the gateway's response to a read. */
export const changeResponse = (page: Page, path: string, change: object) =>
  page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...change } })
    },
  )

/** A response of the gateway that reports a problem. */
const problem = (code: ProblemCode) => ({ type: 'about:blank', code, instance: 'r1', ...problems[code] })

/** Responds to a call with one of the gateway's problems. */
export const respondWithProblem = (page: Page, method: string, path: string, code: ProblemCode) =>
  respond(page, method, path, problems[code].status, problem(code))

/** Makes a call fail with `failureText`. */
export const fail = (page: Page, method: string, path: string) =>
  respondWithProblem(page, method, path, 'internal-error')

/** Responds once as if the password had been confirmed long ago; further calls reach the gateway. */
export async function demandPassword(page: Page, method: string, path: string) {
  let demanded = false
  await page.route(
    (url) => url.pathname === path,
    (route) => {
      if (demanded || route.request().method() !== method) return route.fallback()
      demanded = true
      return route.fulfill({ status: 403, json: problem('confirm_password') })
    },
  )
}

/**
 * Holds a call, so that the test can check what is shown meanwhile.
 * @returns a function that releases the call
 */
export async function hold(page: Page, method: string, path: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() === method) await released
      await route.fallback()
    },
  )
  return release
}

/** Holds the page's timers of exactly this many ms, so that the test can check what is shown until they fire. */
export async function holdTimers(page: Page, delayMs: number) {
  const waiting = await page.evaluateHandle((ms) => {
    const { setTimeout: plan } = window
    const callbacks: (() => void)[] = []
    const planOrHold = (callback: () => void, delay?: number) =>
      delay === ms ? callbacks.push(callback) : plan(callback, delay)
    Object.assign(window, { setTimeout: planOrHold })
    return callbacks
  }, delayMs)
  return {
    count: () => waiting.evaluate((callbacks) => callbacks.length),
    fire: () => waiting.evaluate((callbacks) => callbacks.forEach((callback) => callback())),
  }
}

/**
 * Holds the page's animation frames, as a busy machine does. @returns a function that runs them and any they request
 */
export async function holdFrames(page: Page): Promise<() => Promise<void>> {
  const frames = await page.evaluateHandle(() => {
    const { requestAnimationFrame: plan } = window
    const waiting: FrameRequestCallback[] = []
    window.requestAnimationFrame = (callback) => waiting.push(callback)
    return { plan, waiting }
  })
  return () =>
    frames.evaluate(({ plan, waiting }) => {
      window.requestAnimationFrame = plan
      for (let next = waiting.shift(); next; next = waiting.shift()) next(performance.now())
      return new Promise<void>((resolve) => plan(() => plan(() => resolve())))
    })
}

/** Serves logs, oldest first, as the events of a live tail. */
export const serveTail = (page: Page, logs: readonly object[]) =>
  page.route('**/api/logs/tail?*', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `retry: 600000\n\n${logs.map((log) => `event: log\ndata: ${JSON.stringify(log)}\n\n`).join('')}`,
    }),
  )

/** Serves the payment provider's script from the fake provider, and an order that can be paid. */
export async function fakePayPal(page: Page) {
  const script = await readFile(new URL('../../../deploy/tools/fake-paypal/browser-sdk.js', import.meta.url), 'utf8')
  await page.route('**/fake.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
  await page.route('**/fake/orders/**', (route) => route.fulfill({ status: 204 }))
  await respond(page, 'GET', '/api/paypal/setup', 200, {
    clientToken: 'token',
    scriptUrl: `${process.env['STACK_URL']}/fake.js`,
  })
  await respond(page, 'POST', '/api/paypal/order', 200, { id: 'ORDER-1' })
  await respond(page, 'POST', '/api/paypal/order/ORDER-1/capture', 200, {})
}
