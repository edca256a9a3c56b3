import { expect, it } from 'vitest'
import {
  formatBytes,
  formatCompact,
  formatCounted,
  formatDuration,
  formatJson,
  formatPercent,
  formatRecent,
  formatTime,
} from './format.ts'

it('shows a percentage with one decimal', () => expect(formatPercent(98)).toBe('98.0%'))
it('counts in the singular and the plural', () =>
  expect([0, 1, 1_200].map((events) => formatCounted(events, 'event'))).toEqual([
    '0 events',
    '1 event',
    '1,200 events',
  ]))
it('indents JSON', () => expect(formatJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}'))
it('leaves other text alone', () => expect(formatJson('data: {"a"')).toBe('data: {"a"'))
it.each([
  ['second', 'Mar 10, 2025, 08:05:07'],
  ['millisecond', 'Mar 10, 2025, 08:05:07.089'],
] as const)('shows times in a zone: %s', (style, expected) =>
  expect(formatTime(style, '2025-03-09T23:05:07.089Z', 'Asia/Tokyo')).toBe(expected),
)
it.each([
  ['2025-03-10T14:59:59Z', '08:05:07'],
  ['2025-03-10T15:00:00Z', 'Mar 10, 2025, 08:05:07'],
])('shows the day of a time unless it is today in the zone: at %s', (now, expected) =>
  expect(formatRecent('2025-03-09T23:05:07Z', 'Asia/Tokyo', Date.parse(now))).toBe(expected),
)
it('shows sizes', () =>
  expect([0, 999, 1_000, 4_900_000].map(formatBytes)).toEqual(['0 B', '999 B', '1.0 KB', '4.9 MB']))
it('shows durations in the largest whole unit', () =>
  expect([0, 850, 1_000, 4_240, 90_000, 5_400_000, 172_800_000].map(formatDuration)).toEqual([
    '0 ms',
    '850 ms',
    '1 s',
    '4.2 s',
    '1.5 min',
    '1.5 h',
    '2 d',
  ]))
it('shows what rounds to a whole larger unit in that unit', () => {
  expect([999_949, 999_950, 999_950_000].map(formatBytes)).toEqual(['999.9 KB', '1.0 MB', '1.0 GB'])
  const durations = [999.4, 999.5, 59_949, 59_950, 3_596_999, 3_597_000, 86_219_999, 86_220_000]
  expect(durations.map(formatDuration)).toEqual([
    '999 ms',
    '1 s',
    '59.9 s',
    '1 min',
    '59.9 min',
    '1 h',
    '23.9 h',
    '1 d',
  ])
  expect([999_949, 999_950].map(formatCompact)).toEqual(['999.9K', '1M'])
})
