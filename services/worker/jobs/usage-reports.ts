import { minute } from '#core/units.ts'
import type { OutboxStore } from '#store/postgres/mails/outbox.ts'
import type { DueReport, UsageReportStore } from '#store/clickhouse/usage-reports.ts'
import type { ScheduledJob } from './schedule.ts'

/** Writes the weekly usage reports, every quarter of an hour because timezones differ by quarter hours. */
export function usageReportJob(reports: UsageReportStore, outbox: OutboxStore, now = () => new Date()): ScheduledJob {
  async function write({ accountId, recipient, name, timezone, monday, from, until, before }: DueReport) {
    const [totals, earlier, topModels] = await Promise.all([
      reports.totals(accountId, from, until),
      reports.totals(accountId, before, from),
      reports.topModels(accountId, from, until),
    ])
    const week = { from: from.toISOString(), until: until.toISOString() }
    const content = { kind: 'usage-report' as const, name, timezone, ...week, totals, before: earlier, topModels }
    await outbox.add(accountId, { dedupeKey: monday, recipient, content })
  }

  return {
    name: 'usage-reports',
    everyMs: 15 * minute,
    async run() {
      const failures = new Map<string, unknown>()
      const readDue = () => reports.due(now(), [...failures.keys()])
      for (let due = await readDue(); due.length > 0; due = await readDue()) {
        for (const report of due) await write(report).catch((error: unknown) => failures.set(report.accountId, error))
      }
      if (failures.size > 0)
        throw new AggregateError(failures.values(), `${failures.size} usage reports could not be written`)
    },
  }
}
