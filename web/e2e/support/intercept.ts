import { readFile } from 'node:fs/promises'
import type { CDPSession, Page } from '@playwright/test'
import { type ProblemCode, problems } from '#schemas/problems.ts'

export const failureText = 'Something went wrong on our side. Try again; the request id helps us find it.'

interface Reply {
  status: number
  /** Sent as JSON unless it is a string. */
  body: unknown
  headers?: Record<string, string>
}

interface Interception {
  method: string
  path: string | RegExp
  /** Returns nothing to leave the call to earlier interceptions, and at last to the gateway. */
  respondTo: (url: URL) => Reply | undefined | Promise<Reply | undefined>
}

const interceptionsOf = new WeakMap<Page, Interception[]>()

/**
 * Intercepts calls. Playwright's routes switch off the browser's cache, so that each load of the page compiles every
 * script again, which takes twice the CPU time.
 */
export async function intercept(
  page: Page,
  method: string,
  path: string | RegExp,
  respondTo: Interception['respondTo'],
): Promise<void> {
  const added = { method, path, respondTo }
  const known = interceptionsOf.get(page)
  if (known) return void known.unshift(added)
  const interceptions = [added]
  interceptionsOf.set(page, interceptions)
  const devtools = await page.context().newCDPSession(page)
  devtools.on('Fetch.requestPaused', ({ requestId, request }) => {
    // The page may be gone meanwhile.
    proceed(devtools, interceptions, requestId, request).catch(() => undefined)
  })
  await devtools.send('Fetch.enable', { patterns: ['*/api/*', '*/fake*'].map((urlPattern) => ({ urlPattern })) })
}

async function proceed(
  devtools: CDPSession,
  interceptions: Interception[],
  requestId: string,
  request: { method: string; url: string },
) {
  const url = new URL(request.url)
  for (const { method, path, respondTo } of interceptions) {
    const isMeant = typeof path === 'string' ? path === url.pathname : path.test(url.pathname)
    const reply = isMeant && method === request.method && (await respondTo(url))
    if (reply) return devtools.send('Fetch.fulfillRequest', { requestId, ...asFulfilled(reply) })
  }
  return devtools.send('Fetch.continueRequest', { requestId })
}

const asFulfilled = ({ status, body, headers }: Reply) => ({
  responseCode: status,
  responseHeaders: Object.entries({ 'content-type': 'application/json', ...headers }).map(([name, value]) => ({
    name,
    value,
  })),
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)).toString('base64'),
})

/** Leaves all calls to the gateway again. */
export const stopIntercepting = (page: Page) => interceptionsOf.get(page)?.splice(0)

/** Responds to a call in place of the gateway. */
export const respond = (
  page: Page,
  method: string,
  path: string | RegExp,
  status: number,
  body: unknown,
  contentType = 'application/json',
) => intercept(page, method, path, () => ({ status, body, headers: { 'content-type': contentType } }))

/** Changes fields in the gateway's response to a read. */
export const changeResponse = (page: Page, path: string, change: object) =>
  intercept(page, 'GET', path, async ({ href }) => {
    const response = await page.request.get(href)
    return { status: response.status(), body: { ...(await response.json()), ...change } }
  })

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
  await intercept(page, method, path, () => {
    if (demanded) return undefined
    demanded = true
    return { status: 403, body: problem('confirm_password') }
  })
}

/**
 * Holds a call, so that the test can check what is shown meanwhile.
 * @returns a function that releases the call
 */
export async function hold(page: Page, method: string, path: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await intercept(page, method, path, () => released.then(() => undefined))
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
  respond(
    page,
    'GET',
    '/api/logs/tail',
    200,
    `retry: 600000\n\n${logs.map((log) => `event: log\ndata: ${JSON.stringify(log)}\n\n`).join('')}`,
    'text/event-stream',
  )

/** Serves the payment provider's script from the fake provider, and an order that can be paid. */
export async function fakePayPal(page: Page) {
  const script = await readFile(new URL('../../../deploy/tools/fake-paypal/browser-sdk.js', import.meta.url), 'utf8')
  await respond(page, 'GET', '/fake.js', 200, script, 'text/javascript')
  await respond(page, 'POST', /^\/fake\/orders\//, 204, '')
  await respond(page, 'GET', '/api/paypal/setup', 200, {
    clientToken: 'token',
    scriptUrl: `${process.env['STACK_URL']}/fake.js`,
  })
  await respond(page, 'POST', '/api/paypal/order', 200, { id: 'ORDER-1' })
  await respond(page, 'POST', '/api/paypal/order/ORDER-1/capture', 200, {})
}
