import { dayOf } from '#core/period.ts'
import { day, hour } from '#core/units.ts'
import type { LogArchive } from '#store/clickhouse/logs/log-archive.ts'
import type { ArchivedDayStore } from '#store/postgres/archived-days.ts'
import type { ScheduledJob } from './schedule.ts'

interface LogArchiveOptions {
  /** Opens a connection for each round, because its writes may take minutes. */
  open: () => Promise<{ archive: LogArchive; close(): Promise<void> }>
  archivedDays: ArchivedDayStore
  logRetentionDays: number
  now?: () => number
}

/**
 * Archives each day of logs on the day before it expires, and days that were missed while no worker ran. Only logs that
 * are kept for a single day expire before they are archived, because a day is archived once it is over.
 */
export const logArchiveJob = (options: LogArchiveOptions): ScheduledJob => ({
  name: 'log-archive',
  everyMs: 6 * hour,
  async run() {
    const { open, archivedDays, logRetentionDays, now = Date.now } = options
    const firstKept = dayOf(now() - Math.max(logRetentionDays - 2, 0) * day)
    const archived = await archivedDays.list()
    const { archive, close } = await open()
    try {
      for (const { day: expiring, rows } of await archive.daysBefore(firstKept)) {
        if (archived.has(expiring)) continue
        // After a restore of Postgres, a day may be complete in its file, while some of its logs have expired.
        if ((await archive.rowsIn(expiring)) < rows) await archive.write(expiring)
        await archivedDays.add(expiring, rows)
      }
    } finally {
      await close()
    }
  },
})
