import { EventEmitter } from 'node:events'
import { beforeEach, expect, test } from 'vitest'
import type { Account } from '../auth/account.ts'
import { KeyHealth } from '../keys/key-health.ts'
import { RetryPlan } from '../keys/retry-plan.ts'
import type { RequestLogBuilder } from '../log/request-log-builder.ts'
import { RequestTiming } from '../log/request-timing.ts'
import { Delivery } from '../request/delivery.ts'
import { SpoolFullError } from '../spool/spool-full-error.ts'
import { type AttemptOutcome, forward } from './forward.ts'

const keys = ['primary', 'backup'].map((id) => ({ id, secret: `sk-${id}` }))
const account = { accountId: 'a', keys, distribution: 'spread', retryAttempts: 0, timeout: 1_000 } as Account
const log = { attemptStarted: () => undefined, attemptEnded: () => undefined } as unknown as RequestLogBuilder

let now: number
let health: KeyHealth
beforeEach(() => {
  now = 1_000
  health = new KeyHealth(
    () => undefined,
    () => now,
  )
})

const openPlan = () =>
  new RetryPlan({ account, endpoint: '/v1/models', isRepeatable: true, isIdempotent: true, health })

function send(outcome: AttemptOutcome<undefined>) {
  const client = Object.assign(new EventEmitter(), { destroyed: false })
  const timing = new RequestTiming(0)
  return forward({ plan: openPlan(), log, timing, trace: undefined, client }, async () => outcome)
}

test.each<[string, AttemptOutcome<undefined>]>([
  ['whose client leaves', { kind: 'client_aborted', delivery: new Delivery() }],
  ['that can not be logged', { kind: 'failed', error: new SpoolFullError(), delivery: new Delivery() }],
])('after an attempt %s, its key is probed by the next one', async (_what, outcome) => {
  health.coolDown('primary', 1_000)
  expect(openPlan().first.id).toBe('backup')
  now += 1_001
  await send(outcome).catch(() => undefined)
  expect(openPlan().first.id).toBe('primary')
})

test('a request that has ended is no longer in flight for its key', async () => {
  await send({ kind: 'completed', status: 200, result: undefined })
  expect(openPlan().first.id).toBe('primary')
})
