import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { Sql } from '#core/stores/postgres.ts'
import type { MailReader } from '#store/postgres/mails/mail-readers.ts'
import type { ModelUsage, UsageTotals } from '#schemas/mails.ts'
import { selectRow, selectRows } from './clickhouse-rows.ts'

export interface DueReport extends MailReader {
  accountId: string
  monday: string
  /** The week of the report (`from` to `until`), and the start of the week before. */
  from: Date
  until: Date
  before: Date
}

export type UsageReportStore = ReturnType<typeof createUsageReportStore>

export const createUsageReportStore = (sql: Sql, clickhouse: ClickHouseClient) => ({
  /**
   * A report is due for a day and a half from Monday 08:00 in the account's timezone, so that a worker can catch up. A
   * timezone that Postgres does not know counts as UTC.
   * @param except accounts to leave out
   */
  due: (now: Date, except: readonly string[]): Promise<DueReport[]> => sql<DueReport[]>`
    select a.id as "accountId", a.email as recipient, coalesce(a.first_name, a.username) as name, zone as timezone,
      to_char(monday, 'YYYY-MM-DD') as monday, (monday - interval '7 days') at time zone zone as "from",
      monday at time zone zone as until, (monday - interval '14 days') at time zone zone as before
    from preferences p join accounts a on a.id = p.account_id
      left join pg_timezone_names known on known.name = p.timezone
      cross join lateral (select coalesce(known.name, 'UTC') as zone) z
      cross join lateral (select ${now}::timestamptz at time zone zone as local) l
      cross join lateral (select date_trunc('week', local) as monday) m
    where p.usage_reports and a.disabled_at is null and a.email_confirmed_at is not null
      and a.id <> all(${[...except]})
      and local >= monday + interval '8 hours' and local < monday + interval '44 hours'
      and not exists (
        select 1 from outgoing_mails sent
        where sent.account_id = a.id and sent.kind = 'usage-report' and sent.occasion = to_char(monday, 'YYYY-MM-DD'))
    limit 200`,

  totals: (accountId: string, from: Date, until: Date): Promise<UsageTotals> =>
    selectRow(
      clickhouse,
      `SELECT sum(u.requests) AS requests, sumIf(u.requests, status BETWEEN 1 AND 399) AS successes,
          sum(u.cost_nano_usd) AS costNanoUsd, sum(u.unpriced_requests) AS unpricedRequests
        FROM usage_quarter_hour AS u WHERE ${span}`,
      spanOf(accountId, from, until),
    ),

  topModels: (accountId: string, from: Date, until: Date): Promise<ModelUsage[]> =>
    selectRows(
      clickhouse,
      `SELECT model, sum(u.requests) AS requests, sum(u.cost_nano_usd) AS costNanoUsd,
          sum(u.unpriced_requests) AS unpricedRequests
        FROM usage_quarter_hour AS u WHERE ${span} AND model != ''
        GROUP BY model ORDER BY requests DESC, model LIMIT 5`,
      spanOf(accountId, from, until),
    ),
})

const span = `account_id = {accountId: UUID} AND bucket >= toDateTime({from: UInt32}, 'UTC')
  AND bucket < toDateTime({until: UInt32}, 'UTC')`

const spanOf = (accountId: string, from: Date, until: Date) => ({
  accountId,
  from: from.getTime() / 1_000,
  until: until.getTime() / 1_000,
})
