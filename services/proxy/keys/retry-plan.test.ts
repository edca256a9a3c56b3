import type { IncomingHttpHeaders } from 'node:http'
import { beforeEach, expect, test } from 'vitest'
import { hour, minute, second } from '#core/units.ts'
import type { Account } from '../auth/account.ts'
import type { Delivery } from '../request/delivery.ts'
import { KeyHealth } from './key-health.ts'
import { type NextAttempt, RetryPlan } from './retry-plan.ts'

const keys = ['primary', 'backup'].map((id) => ({ id, secret: `sk-${id}` }))
const account = { accountId: 'a', keys, distribution: 'primary-first', retryAttempts: 0, timeout: 1_000 } as Account
const [chat, files] = ['/v1/chat/completions', '/v1/files']

let now: number
let health: KeyHealth
beforeEach(() => {
  now = 1_000
  health = new KeyHealth(
    () => undefined,
    () => now,
  )
})

const planFor = (endpoint: string, more: Partial<Account> = {}) =>
  new RetryPlan({ account: { ...account, ...more }, endpoint, isRepeatable: true, isIdempotent: true, health })
/** Of a request on a connection that had ended while it was idle. */
const stale = { wasSent: true, hasReceived: false, isStale: true } as Delivery
const spreadPlan = () => planFor(chat, { distribution: 'spread' })
const firstFor = (endpoint: string) => planFor(endpoint).first.id

/** A request whose first key gets this response. */
function meet(status: number, endpoint: string): void {
  const plan = planFor(endpoint)
  plan.use(plan.first.id)
  plan.afterResponse(plan.first, status, {})
  plan.afterRejection(plan.first, status, {}, null)
}

test.each([401, 403])('after a %i, a probe that fails in another way is followed by another probe', (status) => {
  meet(status, chat)
  expect(firstFor(chat)).toBe('backup')
  now += minute
  meet(503, chat)
  expect(firstFor(chat)).toBe('backup')
  now += hour
  expect([firstFor(chat), firstFor(files)]).toEqual(['primary', 'primary'])
})

test('a cooldown is ended by a request that was sent during it, and not by one that was sent before', () => {
  const [before, meanwhile] = [planFor(chat), planFor(chat)]
  before.use('primary')
  meet(429, chat)
  meanwhile.use('primary')
  before.recovered('primary')
  expect(firstFor(chat)).toBe('backup')
  meanwhile.recovered('primary')
  expect(firstFor(chat)).toBe('primary')
})

test('a probe without a response is followed by another one', () => {
  meet(429, chat)
  now += minute
  const plan = planFor(chat)
  plan.use(plan.first.id)
  plan.afterFailure(plan.first, 'upstream_unreachable', stale)
  expect(firstFor(chat)).toBe('primary')
})

test('a probe that one endpoint rejects is followed by another one', () => {
  meet(429, chat)
  now += minute
  const plan = planFor(files)
  plan.use(plan.first.id)
  plan.afterResponse(plan.first, 403, { 'www-authenticate': 'Bearer error="insufficient_scope"' })
  expect([firstFor(chat), firstFor(files)]).toEqual(['primary', 'backup'])
})

test.each([429, 409, 503])('after a %i that no retry can change, at most another key is tried', (status) => {
  const plan = planFor(chat, { retryAttempts: 3 })
  const next = plan.afterResponse(plan.first, status, { 'x-should-retry': 'false' })
  expect(next?.key.id).toBe(status === 409 ? undefined : 'backup')
  expect(next && plan.afterResponse(next.key, status, { 'x-should-retry': 'false' })).toBeUndefined()
})

/** The key and the wait after both keys have responded, the primary first. */
function afterBoth(...responses: readonly (readonly [status: number, headers: IncomingHttpHeaders])[]) {
  const plan = planFor(chat, { retryAttempts: 1, timeout: 30_000 })
  let next: NextAttempt | undefined = { key: plan.first, afterMs: 0 }
  for (const [status, headers] of responses) next = next && plan.afterResponse(next.key, status, headers)
  return next && [next.key.id, next.afterMs]
}
const waitOf = (seconds: number) => expect.closeTo(seconds * second, -3)
const soon = expect.toSatisfy((ms: number) => ms <= 200)

test.each([
  ['an invalid backup', [503, {}], [401, {}], ['primary', soon]],
  ['a backup that may not', [429, { 'retry-after': '2' }], [403, {}], ['primary', waitOf(2)]],
  ['a backup that is busy for long', [503, {}], [429, { 'retry-after': '60' }], ['primary', soon]],
  ['a backup that fails for good', [503, {}], [429, { 'x-should-retry': 'false' }], ['primary', soon]],
  ['a busy primary', [429, { 'retry-after': '2' }], [503, {}], ['backup', soon]],
  ['a primary that fails for good', [429, { 'x-should-retry': 'false' }], [503, {}], ['backup', soon]],
  ['keys that are busy', [429, { 'retry-after': '9' }], [429, { 'retry-after': '7' }], ['backup', waitOf(7)]],
  ['keys that are busy for long', [429, { 'retry-after': '60' }], [429, { 'retry-after': '70' }], undefined],
  ['keys that are invalid', [401, {}], [403, {}], undefined],
] as const)('with %s, the retry goes to the key that may be asked first', (_keys, primary, backup, expected) => {
  expect(afterBoth(primary, backup)).toEqual(expected)
})

test('after an idle connection had ended, a request is sent once more without a retry', () => {
  const again = { key: keys[0], afterMs: 0 }
  const plan = planFor(chat)
  expect(plan.afterFailure(plan.first, 'upstream_disconnected', stale)).toEqual(again)
  expect(plan.afterFailure(plan.first, 'upstream_disconnected', stale)).toBeUndefined()
  // Silence is no end.
  expect(planFor(chat).afterFailure(plan.first, 'upstream_timeout', stale)).toBeUndefined()
})

test('the state of a key has what the provider said of its failure', () => {
  const plan = planFor(chat)
  plan.afterResponse(plan.first, 503, {})
  plan.afterRejection(plan.first, 503, {}, { message: 'busy', code: null, type: null })
  expect(health.takeReports()).toMatchObject([{ keyId: 'primary', failure: { status: 503, message: 'busy' } }])
})

test('spread over the keys, an attempt that has ended no longer counts for its key', () => {
  const plan = spreadPlan()
  for (const id of ['primary', 'primary', 'backup']) plan.use(id)
  expect(spreadPlan().first.id).toBe('backup')
  plan.done('primary')
  plan.done('primary')
  expect(spreadPlan().first.id).toBe('primary')
})
