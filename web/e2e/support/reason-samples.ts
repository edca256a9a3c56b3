import type { Changes } from '#schemas/analytics-changes.ts'
import { type ErrorGroups, errorIntervals } from '#schemas/analytics-errors.ts'

const ends = { from: '2026-11-20T12:00:00.000Z', to: '2026-11-20T13:00:00.000Z' }

/** The requests of one customer fail. */
export const changesOfACustomer: Changes = {
  ...ends,
  beforeFrom: '2026-11-20T11:00:00.000Z',
  availableFrom: ends.from,
  measure: 'errors',
  slowAbove: null,
  now: { requests: 1_000, amount: 150 },
  before: { requests: 1_000, amount: 50 },
  expected: 50,
  changes: [
    {
      dimension: 'tag',
      tag: 'customer',
      value: 'acme',
      now: { requests: 200, amount: 120 },
      before: { requests: 200, amount: 6 },
      expected: 6,
      shareNow: 80,
      shareBefore: 12,
      explained: 96,
    },
  ],
}

/** A new rate-limit error, and an error of another group. */
export const errorsOfALimit: ErrorGroups = {
  ...ends,
  availableFrom: '2026-08-22T00:00:00.000Z',
  errors: 4,
  groups: [
    {
      errorCode: 'rate_limit_exceeded',
      status: 429,
      pattern: `Rate limit reached for <…>${' in a long message'.repeat(20)}`,
      example: 'Rate limit reached for gpt-4o',
      errors: 3,
      firstSeen: ends.from,
      lastSeen: ends.to,
      isNew: true,
      series: Array.from({ length: errorIntervals }, (_, at) => Number(at > 20)),
    },
  ],
  others: { groups: 1, errors: 1 },
  isComplete: false,
}
