import type { IncomingMessage } from 'node:http'
import { Redis } from 'ioredis'
import { afterEach, expect, test, vi } from 'vitest'
import { isForProvider } from '../request/headers.ts'
import type { Account } from '../auth/account.ts'
import { cacheKey, keyedHeaders } from './cache-key.ts'
import { ageOf, isStorable, ResponseCache } from './response-cache.ts'

afterEach(() => void vi.useRealTimers())

test.each([
  [[], true],
  [['cache-control', 'no-cache, max-age=0'], true],
  [['vary', 'Origin, Accept-Language, Accept-Encoding'], true],
  [['cache-control', 'no-store'], false],
  [['cache-control', 'max-age=60, Private'], false],
  [['x-other', 'cache-control', 'cache-control', 'private="set-cookie"'], false],
  [['vary', '*'], false],
  [['vary', 'accept, User-Agent'], false],
])('a response with %j may be stored: %s', (headers, isAllowed) => {
  expect(isStorable({ status: 200, headers })).toBe(isAllowed)
  expect(isStorable({ status: 201, headers })).toBe(false)
})

test('the age of a response includes its age when it came', () => {
  const stored = { status: 200, body: Buffer.alloc(0), storedAtMs: Date.now() - 2_500 }
  expect(ageOf({ ...stored, headers: ['age', '10'] })).toBe(12)
  expect(ageOf({ ...stored, headers: ['age', 'old'] })).toBe(2)
  expect(ageOf({ ...stored, headers: [], storedAtMs: Date.now() + 5_000 })).toBe(0)
})

test('the key has each forwarded header that may change a response, in one order', () => {
  const headers = { 'openai-beta': 'x=1', 'accept-language': 'de', accept: '*/*', 'content-type': 'text/plain' }
  const ignored = { 'user-agent': 'a', 'x-stainless-lang': 'js', 'idempotency-key': '1', authorization: 'Bearer x' }
  const expected = Object.entries(headers)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flat()
  expect(Object.keys(headers).every(isForProvider)).toBe(true)
  expect(keyedHeaders({ ...ignored, ...headers })).toEqual(expected)
})

function modelListKey(models: string[] | null): string {
  const account = { accountId: 'a', origin: 'https://api.example', basePath: '/v1', models } as Account
  const request = { method: 'GET', headers: {} } as IncomingMessage
  return cacheKey(account, request, { endpoint: '/v1/models', pathAndQuery: '/v1/models' }, Buffer.alloc(0))
}

test('tokens that may see different models do not share responses', () => {
  expect(new Set([null, ['gpt-4o'], ['gpt-4o-mini']].map(modelListKey)).size).toBe(3)
  expect(modelListKey(['gpt-4o'])).toBe(modelListKey(['gpt-4o']))
})

test('a request waits for identical ones no longer than its patience, however many of their clients leave', async () => {
  vi.useFakeTimers()
  const redis = new Redis({ lazyConnect: true })
  redis.disconnect()
  const cache = new ResponseCache(redis)
  const terms = { key: 'k', reads: true, maxAgeSeconds: 60, patienceMs: 1_000 }
  const first = await cache.acquire(terms)
  const second = cache.acquire(terms)
  let isOver = false
  const third = cache.acquire(terms).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(600)
  first.complete('abandoned')
  await second
  await vi.advanceTimersByTimeAsync(600)
  expect(isOver).toBe(true)
  await third
})
