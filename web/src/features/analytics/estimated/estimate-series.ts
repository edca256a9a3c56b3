import { routeOf } from '#schemas/route-of.ts'
import { hourOfDay, startOfDay } from '#web/lib/text/zoned-time.ts'
import { type EstimateLog, isSuccess } from './estimates.ts'
import { rangeDays, type TimeRange } from '#web/lib/time-ranges.ts'

type Day = { at: number; requests: number; errors: number }

/** Start of the oldest day in the logs, ms; some of that day's requests may be missing. */
export const oldestKnownDay = (logs: readonly EstimateLog[], zone: string) =>
  startOfDay(Math.min(...logs.map((log) => Date.parse(log.createdAt))), zone)

/** Calendar days up to today, 8 at most. Source: product.md 11.2. */
export function dailyTrend(logs: readonly EstimateLog[], range: TimeRange, now: number, zone: string): Day[] {
  const count = Math.min(rangeDays[range] + 1, 8)
  const days = Array.from({ length: count }, (_, index) => ({
    at: startOfDay(now, zone, index - count + 1),
    requests: 0,
    errors: 0,
  }))
  for (const log of logs) {
    const at = Date.parse(log.createdAt)
    const day = days.findLast((candidate) => candidate.at <= at)
    if (!day) continue
    day.requests += log.requestCount
    if (!isSuccess(log)) day.errors += log.requestCount
  }
  return days
}

/** Average response time, ms, of each hour of the day; `null` for an hour without requests. */
export function hourlyTimes(logs: readonly EstimateLog[], zone: string): (number | null)[] {
  const hours = Array.from({ length: 24 }, () => ({ sum: 0, count: 0 }))
  for (const log of logs) {
    const hour = hours[hourOfDay(Date.parse(log.createdAt), zone)]
    if (!hour) continue
    hour.sum += log.responseTime * log.requestCount
    hour.count += log.requestCount
  }
  return hours.map(({ sum, count }) => (count === 0 ? null : sum / count))
}

export type Count<Key> = { key: Key; count: number }

function countBy<Key>(logs: readonly EstimateLog[], keyOf: (log: EstimateLog) => Key): Count<Key>[] {
  const counts = new Map<Key, number>()
  for (const log of logs) counts.set(keyOf(log), (counts.get(keyOf(log)) ?? 0) + log.requestCount)
  return [...counts].map(([key, count]) => ({ key, count })).toSorted((a, b) => b.count - a.count)
}

/** The five most frequently called, each with all its identifiers, as the filter of Request Logs finds them. */
export const topEndpoints = (logs: readonly EstimateLog[]) => countBy(logs, (log) => routeOf(log.endpoint)).slice(0, 5)

/** Most frequent first. */
export const statusCounts = (logs: readonly EstimateLog[]) => countBy(logs, (log) => log.responseStatus)

const statusLabels: Record<number, string> = {
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  429: '429 Rate Limited',
  500: '500 Server Error',
}

/** Source: product.md 11.9. */
export const errorLabel = (status: number) => statusLabels[status] ?? 'Error'

export const errorCounts = (logs: readonly EstimateLog[]) => statusCounts(logs.filter((log) => !isSuccess(log)))
