import type { AnalyticsGroups, GroupBy } from '#schemas/analytics.ts'
import type { ChartColour } from '#web/charts/chart-colours.ts'
import { chosenValues, isExcluded, valueFilter, valuesFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { fieldLabel, useValueNames } from '#web/lib/log-filters/values/value-fields.ts'

export const groupLabel = (groupBy: GroupBy): string => fieldLabel(fieldOf(groupBy))

/** Colours of the top groups, in order; red is reserved for errors. */
const groupColours = ['accent', 'info', 'ok', 'warn', 'accent-2', 'accent-3'] as const satisfies ChartColour[]

/** Human-readable names of the groups. */
export function useGroupNames({ groupBy, groups }: Pick<AnalyticsGroups, 'groupBy' | 'groups'>) {
  const nameOf = useValueNames(
    fieldOf(groupBy),
    groups.map(({ value }) => value),
  )
  return (value: string | null) => nameOf(value ?? '')
}

interface Grouped<Step> {
  groups: readonly { value: string | null; series: readonly Step[] | null }[]
  otherSeries: readonly Step[]
}

type Line<Step> = { label: string; colour: ChartColour; steps: readonly Step[] }

/** The lines of the top groups, and of all others. Values are no keys: one may be that of another line. */
export function groupLines<Step>({ groups, otherSeries }: Grouped<Step>, nameOf: ReturnType<typeof useGroupNames>) {
  const lines = groups.flatMap(({ value, series }, index): Line<Step>[] =>
    series ? [{ label: nameOf(value), colour: groupColours[index] ?? 'muted', steps: series }] : [],
  )
  const others: Line<Step> = { label: 'Others', colour: 'muted', steps: otherSeries }
  return [...lines, ...(otherSeries.length > 0 ? [others] : [])].map((line, index) => ({ key: String(index), ...line }))
}

/** Filters for a group's requests; a `value` of `null` means requests without one. */
export const groupFilter = (groupBy: GroupBy, value: string | null): LogSearch => valueFilter(fieldOf(groupBy), value)

/** Filters for the requests in no group; undefined if they need more values than a filter can have. */
export function othersFilter(groupBy: GroupBy, values: readonly (string | null)[], filters: LogSearch) {
  const field = fieldOf(groupBy)
  const before = isExcluded(filters, field) ? chosenValues(filters, field) : []
  return before.length + values.length > mostValues ? undefined : valuesFilter(field, [...before, ...values], true)
}

const mostValues = 20

const fieldOf = (groupBy: GroupBy) => (groupBy === 'status' ? 'statusCode' : groupBy)
