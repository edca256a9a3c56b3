import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AnalyticsGroups, Measures } from '#schemas/analytics.ts'
import { DataTable } from '#web/charts/data-table.tsx'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { Card } from '#web/ui/card.tsx'
import { countedFilters, mergeFilters } from '../use-open-logs.ts'
import { knownMetrics, showMetric } from './group-metrics.ts'
import { groupFilter, groupLabel, othersFilter, useGroupNames } from './group-values.ts'

type GroupTableProps = { data: AnalyticsGroups; filters: LogSearch }

/** All measures of each group; every number links to its requests. */
export function GroupTable({ data, filters }: GroupTableProps) {
  const nameOf = useGroupNames(data)
  const { groupBy, groups, others } = data
  const metrics = knownMetrics(groups)
  const range = { from: data.from, to: data.to }
  const cellsOf = (measures: Measures, group?: LogSearch): ReactNode[] =>
    metrics.map((metric) => {
      const text = showMetric(metric, measures)
      // A zero and an unknown value have no requests to link to.
      if (!group || !metric.of(measures)) return text
      return (
        <Link
          key={metric.title}
          to="/request-logs"
          search={mergeFilters(filters, { ...range, ...countedFilters(metric.filter, filters), ...group })}
          className="hover:text-accent hover:underline"
        >
          {text}
        </Link>
      )
    })
  const label = groupLabel(groupBy)
  const rows = groups.map(({ value, ...measures }, index) => ({
    key: String(index),
    cells: [nameOf(value), ...cellsOf(measures, groupFilter(groupBy, value))],
  }))
  const ofOthers = othersFilter(
    groupBy,
    groups.map(({ value }) => value),
    filters,
  )
  return (
    <Card title={`By ${label.toLowerCase()}`} description="A number leads to its requests">
      <DataTable
        caption={`Totals by ${label.toLowerCase()}`}
        heads={[label, ...metrics.map(({ title }) => title)]}
        rows={others ? [...rows, { key: 'others', cells: ['Others', ...cellsOf(others, ofOthers)] }] : rows}
      />
    </Card>
  )
}
