import { expect, test } from 'vitest'
import { logArchiveJob } from './log-archive.ts'

test.each([
  { logRetentionDays: 30, last: '2026-10-25' },
  { logRetentionDays: 3, last: '2026-11-21' },
  { logRetentionDays: 2, last: '2026-11-22' },
  // Its logs expire already, but no earlier day is over.
  { logRetentionDays: 1, last: '2026-11-22' },
])('with $logRetentionDays days of logs, $last is the last archived day', async ({ logRetentionDays, last }) => {
  const days = ['2026-10-25', '2026-10-26', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24']
  const written: string[] = []
  const archive = {
    daysBefore: async (end: string) => days.filter((day) => day < end).map((day) => ({ day, rows: 1 })),
    rowsIn: async () => 0,
    write: async (day: string) => void written.push(day),
  }
  const job = logArchiveJob({
    open: async () => ({ archive, close: async () => undefined }),
    archivedDays: { list: async () => new Set(), add: async () => undefined },
    logRetentionDays,
    now: () => Date.parse('2026-11-23T00:00:00Z'),
  })
  await job.run()
  expect(written.at(-1)).toBe(last)
})
