import { withTable } from '#tools/docs/generated-part.ts'
import { bottlenecksOf, capacity, measurements, planFor, plannedUse, simulateOutage } from './plan.ts'
import { keysOf } from '#core/records.ts'

const rates = [1_000, 10_000, 100_000]
const parts = keysOf(capacity)
const gib = 2 ** 30

/** Inserts all tables into deploy/docs/scaling.md. */
export function withScalingTables(text: string): string {
  return [withMeasured, withCapacity, withPlans, withBottlenecks, withOutages].reduce(
    (document, withOne) => withOne(document),
    text,
  )
}

const number = (value: number, digits = 0) => value.toLocaleString('en-US', { maximumFractionDigits: digits })
const size = (bytes: number) =>
  bytes >= 1024 * gib ? `${number(bytes / 1024 / gib, 1)} TiB` : `${number(bytes / gib, 1)} GiB`
const time = (seconds: number) => (seconds < 120 ? `${number(seconds)} s` : `${number(seconds / 60)} min`)

const withMeasured = (text: string) =>
  withTable(
    text,
    'measured',
    ['What', 'Value', 'How it is known'],
    Object.entries(measurements).map(([name, { value, meaning, source }]) => [
      meaning,
      `${number(value, 1)} ${name.endsWith('Bytes') ? 'B' : 'µs'}`,
      source,
    ]),
  )

/** Sorted by capacity: the bottleneck comes first. */
const withCapacity = (text: string) =>
  withTable(
    text,
    'capacity',
    ['One', 'Carries, requests/s', 'At its limit'],
    parts
      .toSorted((a, b) => capacity[a] - capacity[b])
      .map((part) => [part, number(capacity[part]), number(capacity[part] / plannedUse)]),
  )

const withPlans = (text: string) =>
  withTable(
    text,
    'plans',
    [
      'Requests/s',
      'open at once',
      ...parts,
      'inserts/s',
      'connections to Postgres',
      'Logs of 90 days, one replica',
      'Requests a month',
    ],
    rates
      .map(planFor)
      .map(({ requestsPerSecond, openRequests, nodes, insertsPerSecond, postgresConnections, logBytes }) => [
        number(requestsPerSecond),
        number(openRequests),
        ...parts.map((part) => number(nodes[part])),
        number(insertsPerSecond),
        number(postgresConnections),
        size(logBytes),
        `${number((requestsPerSecond * 86_400 * 30) / 1e9, 1)} billion`,
      ]),
  )

const withBottlenecks = (text: string) =>
  withTable(
    text,
    'bottlenecks',
    ['Requests/s', 'First', 'Second', 'Third'],
    rates.map((requestsPerSecond) => [
      number(requestsPerSecond),
      ...bottlenecksOf(planFor(requestsPerSecond)).map(
        ({ part, headroom, successor }) => `${part}, at ${number(headroom, 1)} ×: ${successor}`,
      ),
    ]),
  )

const withOutages = (text: string) =>
  withTable(
    text,
    'outages',
    [
      'Requests/s',
      'ClickHouse away',
      'Queue with room for',
      'Queue at most',
      'Spool of a proxy at most',
      'All stored after',
    ],
    rates.flatMap((requestsPerSecond) =>
      [600, 3_600].map((outageSeconds) => {
        const queueMaxBytes = Math.max(1, requestsPerSecond / 5_000) * gib
        const { nodes } = planFor(requestsPerSecond)
        const outage = simulateOutage({ requestsPerSecond, outageSeconds, nodes, queueMaxBytes })
        return [
          number(requestsPerSecond),
          time(outageSeconds),
          size(queueMaxBytes),
          size(outage.queueBytes),
          size(outage.spoolBytes),
          outage.drainedAfterSeconds === undefined ? 'never' : time(outage.drainedAfterSeconds),
        ]
      }),
    ),
  )
