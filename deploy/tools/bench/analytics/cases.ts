import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { day, hour } from '#core/units.ts'
import { ChangesQuery } from '#schemas/analytics-changes.ts'
import { RequestLogQuery } from '#schemas/request-logs.ts'
import { createAnalyticsStore } from '#store/clickhouse/analytics/analytics.ts'
import { createChangeStore } from '#store/clickhouse/analytics/changes.ts'
import { createErrorGroupStore } from '#store/clickhouse/analytics/error-groups.ts'
import { createLogHistogramStore } from '#store/clickhouse/logs/log-histogram.ts'
import { createLogValuesStore } from '#store/clickhouse/logs/log-values.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { defaultRetention } from '#store/clickhouse/retention.ts'
import { createUsageStore } from '#store/clickhouse/usage.ts'
import { required } from '#tools/process/required.ts'

interface Case {
  name: string
  call: () => Promise<unknown>
  /** p95 with 10 million rows and with 100 million, ms. */
  goals: [number, number]
}

const chart: Case['goals'] = [50, 100]
const group: Case['goals'] = [150, 150]
const tag: Case['goals'] = [400, 400]
const page: Case['goals'] = [60, 60]
const search: Case['goals'] = [100, 100]

const query = (filters: Record<string, unknown> = {}) => RequestLogQuery.parse(filters)

/** The queries of the screens, for one account. */
export async function createCases(clickhouse: ClickHouseClient, account: string): Promise<readonly Case[]> {
  const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
  const histogram = createLogHistogramStore(clickhouse, logs)
  const values = createLogValuesStore(clickhouse, logs)
  const week = query({ timeRange: '7d' })
  const analytics = createAnalyticsStore(clickhouse, defaultRetention)
  const errors = createErrorGroupStore(clickhouse)
  const changes = createChangeStore(clickhouse)
  // A new store each time, because it caches for a second.
  const usage = () => createUsageStore(clickhouse, { logRetentionDays: 90 })
  const now = Date.now()
  const range = (days: number) => ({ from: now - days * day, to: now, timezone: 'Asia/Kolkata', filters: query() })
  const twoFilters = query({ status: 'success', model: 'gpt-4o' })
  const [middle] = await logs.list(account, query({ offset: 20_000, limit: 1 }))
  const hourAgo = now - hour
  const comparedHour = (measure: string) =>
    ChangesQuery.parse({ from: new Date(hourAgo).toISOString(), to: new Date(now).toISOString(), measure })
  const known = (await logs.list(account, query({ limit: 50, cursor: middle?.id }))).map(({ id }) => id)
  let turn = 0
  const anyKnown = () => required(known[(turn += 1) % known.length], 'log')
  const list = (filters?: Record<string, unknown>) => logs.list(account, query(filters))
  const count = (filters?: Record<string, unknown>) => logs.count(account, query(filters))

  return [
    { name: 'Dashboard: stats of all time', call: () => usage().stats(account), goals: chart },
    { name: 'Dashboard: use of each key', call: () => usage().byCredential(account, 'api_key_id'), goals: chart },
    { name: 'Dashboard: latest 5 logs', call: () => list({ limit: 5 }), goals: chart },
    { name: 'Analytics: 24 hours', call: () => analytics.read(account, range(1)), goals: chart },
    { name: 'Analytics: 7 days', call: () => analytics.read(account, range(7)), goals: chart },
    { name: 'Analytics: 30 days', call: () => analytics.read(account, range(30)), goals: chart },
    { name: 'Analytics: 90 days', call: () => analytics.read(account, range(90)), goals: chart },
    ...(['model', 'token', 'status', 'outcome', 'errorCode'] as const).map((groupBy) => ({
      name: `Analytics: by ${groupBy}, 30 days`,
      call: () => analytics.readGroups(account, range(30), groupBy),
      goals: group,
    })),
    {
      name: 'Analytics: 30 days, two filters',
      call: () => analytics.read(account, { ...range(30), filters: twoFilters }),
      goals: group,
    },
    {
      name: 'Analytics: by endpoint, 30 days, two filters',
      call: () => analytics.readGroups(account, { ...range(30), filters: twoFilters }, 'endpoint'),
      goals: group,
    },
    {
      name: 'Analytics: by tag, 30 days, two filters',
      call: () => analytics.readGroups(account, { ...range(30), filters: twoFilters }, 'tag:customer'),
      goals: tag,
    },
    {
      name: 'Analytics: by tag of a million values, 30 days',
      call: () => analytics.readGroups(account, range(30), 'tag:trace'),
      goals: tag,
    },
    {
      name: 'Analytics: errors by code and message, 7 days',
      call: () => errors.read(account, query(), { from: now - 7 * day, to: now, availableFrom: 0 }),
      goals: tag,
    },
    ...(['errors', 'slow'] as const).map((measure) => ({
      name: `Analytics: what changed in ${measure}, an hour against the day before`,
      call: () => changes.read(account, comparedHour(measure), { beforeFrom: hourAgo - day, from: hourAgo, to: now }),
      goals: tag,
    })),
    { name: 'Logs: count, no filter', call: () => count(), goals: chart },
    {
      name: 'Logs: count, errors of a model, 7 days',
      call: () => count({ status: 'error', model: 'o3', timeRange: '7d' }),
      goals: chart,
    },
    { name: 'Logs: newest page', call: () => list(), goals: page },
    { name: 'Logs: next page by cursor', call: () => list({ cursor: anyKnown() }), goals: page },
    { name: 'Logs: errors, newest page', call: () => list({ status: 'error' }), goals: page },
    { name: 'Logs: one by id', call: () => logs.get(account, anyKnown()), goals: page },
    { name: 'Logs: word search, newest 50', call: () => list({ search: 'rate limit', limit: 50 }), goals: search },
    { name: 'Logs: rare word, newest 50', call: () => list({ search: anyKnown(), limit: 50 }), goals: search },
    {
      name: 'Logs: part of a word, newest 50, 7 days',
      call: () => list({ search: 'ate lim', searchMode: 'parts', timeRange: '7d', limit: 50 }),
      goals: [300, 300],
    },
    {
      name: 'Logs: rare part of a word, newest 50, 7 days',
      call: () => list({ search: anyKnown().slice(1, -1), searchMode: 'parts', timeRange: '7d', limit: 50 }),
      goals: [300, 300],
    },
    { name: 'Logs: histogram, 7 days', call: () => histogram.read(account, week, 'UTC'), goals: chart },
    {
      name: 'Logs: histogram of an outcome, 7 days',
      call: () => histogram.read(account, query({ timeRange: '7d', outcome: 'completed' }), 'UTC'),
      goals: [150, 150],
    },
    {
      name: 'Logs: values with counts, 7 days',
      call: () => values.read(account, week, ['model', 'endpoint', 'statusCode', 'token', 'key']),
      goals: [150, 150],
    },
    {
      name: 'Logs: values that only rows have, 7 days',
      call: () => values.read(account, week, ['outcome', 'errorCode', 'cache', 'tag']),
      goals: [150, 150],
    },
    { name: 'Logs: slowest, 7 days', call: () => list({ sort: 'responseTime', timeRange: '7d' }), goals: [150, 150] },
    { name: 'Logs: count of a word search', call: () => count({ search: 'rate limit' }), goals: search },
  ]
}
