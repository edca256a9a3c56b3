import { expect, test } from 'vitest'
import { RequestEvent } from '#schemas/request-event.ts'
import { createHistory } from './demo-history.ts'

const now = Date.UTC(2026, 0, 2, 12)
const credentials = {
  accountId: '0199a000-0000-7000-8000-000000000001',
  apiKeyId: '0199a000-0000-7000-8000-000000000002',
  tokenIds: ['0199a000-0000-7000-8000-000000000003', '0199a000-0000-7000-8000-000000000004'],
} as const

test('the history of the demo consists of valid events of the last two days, oldest first', () => {
  const events = createHistory(credentials, now)
  expect(events.length).toBeGreaterThan(1_000)
  for (const event of events) RequestEvent.parse(event)
  const times = events.map(({ id }) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[0]).toBeGreaterThanOrEqual(now - 48 * 3_600_000)
  expect(times.at(-1)).toBeLessThanOrEqual(now)
})

test('it is the same for the same moment', () => {
  expect(createHistory(credentials, now)).toEqual(createHistory(credentials, now))
})

test('it has something for every screen', () => {
  const events = createHistory(credentials, now)
  const distinct = (pick: (event: RequestEvent) => unknown) => new Set(events.map(pick)).size
  expect(distinct(({ model }) => model)).toBeGreaterThan(4)
  expect(distinct(({ endpoint }) => endpoint)).toBeGreaterThan(2)
  expect(distinct(({ outcome }) => outcome)).toBe(3)
  expect(distinct(({ status }) => status)).toBeGreaterThan(5)
  expect(distinct(({ tokenId }) => tokenId)).toBe(2)
  expect(new Set(events.map(({ streamed }) => streamed))).toEqual(new Set([true, false]))
})
