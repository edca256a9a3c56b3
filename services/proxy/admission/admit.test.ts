import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import type { Account } from '../auth/account.ts'
import { RequestShare } from '../request/request-share.ts'
import { Admission } from './admit.ts'
import { Expectations } from './expectations.ts'

const limit = () => new SharedLimit({ account: 10, process: 10 })

function createAdmission() {
  const share = RequestShare.take({ requests: limit(), bodyBytes: limit() }, 'a')
  if (typeof share === 'string') throw new Error(share)
  const calls = { refund: vi.fn(), complete: vi.fn(), reserve: vi.fn(), countTokens: vi.fn() }
  const limiter = { ...calls, expectations: new Expectations() }
  return { limiter, admission: new Admission(share, {} as Account, { headers: [] } as never, limiter) }
}

test('a request that is cancelled twice is refunded once', () => {
  const { limiter, admission } = createAdmission()
  admission.cancel('quota')
  admission.cancel()
  expect(limiter.refund.mock.calls.map(([, , part]) => part)).toEqual(['quota'])
})

test('a share is held until the client has taken the whole response, or is gone', () => {
  const requests = limit()
  const response = Object.assign(new EventEmitter(), { writableLength: 1, destroyed: false })
  const take = () => RequestShare.take({ requests, bodyBytes: limit() }, 'a') as RequestShare
  take().releaseAfter(response)
  expect(requests.used).toBe(1)
  response.emit('close')
  expect(requests.used).toBe(0)
  for (const sent of [{ writableLength: 0 }, { destroyed: true }]) take().releaseAfter(Object.assign(response, sent))
  expect(requests.used).toBe(0)
})

test('a request that went to the provider is not refunded, whatever fails after it', () => {
  const { limiter, admission } = createAdmission()
  admission.complete(requestEvent({ attempts: 1, costNanoUsd: 5 }), {
    mayHaveCost: true,
    estimatedTokens: 0,
    hasTextElsewhere: false,
  })
  admission.cancel()
  expect(limiter.refund).not.toHaveBeenCalled()
  expect(limiter.complete).toHaveBeenCalledTimes(1)
})
