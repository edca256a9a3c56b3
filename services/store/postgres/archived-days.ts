import type { Sql } from '#core/stores/postgres.ts'

export type ArchivedDayStore = ReturnType<typeof createArchivedDayStore>

/** Covers all accounts, because the archive is the operator's. Days are in UTC, such as `2026-08-25`. */
export const createArchivedDayStore = (sql: Sql) => ({
  async list(): Promise<Set<string>> {
    const rows = await sql<{ day: string }[]>`select day::text from archived_days`
    return new Set(rows.map(({ day }) => day))
  },

  async add(day: string, rows: number): Promise<void> {
    await sql`insert into archived_days (day, rows) values (${day}, ${rows}) on conflict do nothing`
  },
})
