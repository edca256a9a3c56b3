import { isoTime } from '#core/period.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { type ErrorGroup, type ErrorGroups, errorIntervals } from '#schemas/analytics-errors.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { maxSeconds, selectRows } from '../clickhouse-rows.ts'
import { filterConditions } from '../logs/log-filters.ts'
import type { TimeSpan } from '../range-pieces.ts'
import { whereWithin } from '../select-pieces.ts'
import { comparedMessage, messagePattern, withoutVariableWords } from './message-pattern.ts'

const groupsShown = 50

/** Limits the memory of a query if all messages differ by more than variable words. */
const mostMessages = 200_000

interface ErrorRange extends TimeSpan {
  /** Older logs are no longer stored. */
  availableFrom: number
}

interface GroupRow extends Omit<ErrorGroup, 'isNew' | 'series'> {
  isSeenBefore: number
  /** Errors by interval. */
  intervals: Record<string, number>
  allGroups: number
  allErrors: number
  allMessages: number
}

export type ErrorGroupStore = ReturnType<typeof createErrorGroupStore>

export const createErrorGroupStore = (clickhouse: ClickHouseClient, maxMessages = mostMessages) => ({
  /** Groups the failed requests that match, and looks for the same groups in the equally long range before. */
  async read(accountId: string, filters: RequestLogFilters, range: ErrorRange): Promise<ErrorGroups> {
    const { from, to, availableFrom } = range
    const before = from - (to - from)
    const conditions = filterConditions(filters)
    const readFrom = Math.max(before, Math.min(availableFrom, from))
    const where = whereWithin(accountId, [{ table: 'request_logs', from: readFrom, to }], conditions)
    const rows = await selectRows<GroupRow>(clickhouse, query(where, maxMessages), {
      ...conditions.params,
      start: from,
      span: to - from,
    })
    const { allGroups = 0, allErrors = 0, allMessages = 0 } = rows[0] ?? {}
    const groups = rows.filter((row) => row.errors > 0).map((row) => toGroup(row, before >= availableFrom))
    const shown = groups.reduce((sum, { errors }) => sum + errors, 0)
    return {
      from: isoTime(from),
      to: isoTime(to),
      availableFrom: isoTime(availableFrom),
      errors: allErrors,
      groups,
      others: { groups: allGroups - groups.length, errors: allErrors - shown },
      isComplete: allMessages < maxMessages,
    }
  },
})

const compared = `leftUTF8(error_message, ${comparedMessage})`

/** Counts messages without variable words first, so that a pattern is computed once for each of them. */
const query = (where: string, maxMessages: number) => `
  SELECT nullIf(code, '') AS errorCode, argMax(counted.status, n) AS status, pattern, argMax(sample, n) AS example,
    sumIf(n, slot < ${errorIntervals}) AS errors, min(first) AS firstSeen, max(last) AS lastSeen,
    max(slot = ${errorIntervals}) AS isSeenBefore,
    sumMapIf(map(slot, n), slot < ${errorIntervals}) AS intervals,
    countIf(errors > 0) OVER () AS allGroups, sum(errors) OVER () AS allErrors, sum(count()) OVER () AS allMessages
  FROM (
    SELECT error_code AS code, status, ${withoutVariableWords(compared)} AS message,
      any(${compared}) AS sample,
      if(created_at < fromUnixTimestamp64Milli({start: Int64}), ${errorIntervals},
        toUInt8((toUnixTimestamp64Milli(created_at) - {start: Int64}) * ${errorIntervals} DIV {span: Int64})) AS slot,
      sum(toUInt64(request_count)) AS n, min(created_at) AS first, max(created_at) AS last
    FROM request_logs WHERE ${where} AND (status = 0 OR status >= 400)
    GROUP BY code, status, message, slot
  ) AS counted
  GROUP BY code, if(code = '', counted.status, 0), ${messagePattern('message')} AS pattern
  ORDER BY errors DESC, pattern LIMIT ${groupsShown}
  SETTINGS max_execution_time = ${maxSeconds}, max_rows_to_group_by = ${maxMessages}, group_by_overflow_mode = 'any'`

const toGroup = (row: GroupRow, isBeforeStored: boolean): ErrorGroup => ({
  errorCode: row.errorCode,
  status: row.status,
  pattern: row.pattern,
  example: row.example,
  errors: row.errors,
  firstSeen: row.firstSeen,
  lastSeen: row.lastSeen,
  isNew: row.isSeenBefore ? false : isBeforeStored || null,
  series: Array.from({ length: errorIntervals }, (_, at) => row.intervals[at] ?? 0),
})
