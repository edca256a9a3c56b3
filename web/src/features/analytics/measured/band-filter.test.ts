import { expect, test } from 'vitest'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { bandFilter } from './band-filter.ts'

test.each<[number, LogSearch, LogSearch]>([
  [0, {}, { maxTime: 10 }],
  [1, {}, { minTime: 11, maxTime: 101 }],
  [2, {}, { minTime: 102 }],
  [1, { minTime: 50 }, { minTime: 50, maxTime: 101 }],
  [1, { minTime: 5, maxTime: 60 }, { minTime: 11, maxTime: 60 }],
  [2, { maxTime: 5_000 }, { minTime: 102, maxTime: 5_000 }],
])('band %i among %j opens %j', (band, filters, expected) => {
  expect(bandFilter([11, 102], band, filters)).toEqual(expected)
})
