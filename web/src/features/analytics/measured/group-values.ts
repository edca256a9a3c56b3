import type { GroupBy } from '#schemas/analytics.ts'
import type { ChartColour } from '#web/charts/chart-colours.ts'
import { chosenValues, isExcluded, valueFilter, valuesFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { fieldLabel, type useValueNames } from '#web/lib/log-filters/values/value-fields.ts'

export const groupLabel = (groupBy: GroupBy): string => fieldLabel(fieldOf(groupBy))

/** Colours of the top groups, in order; red is reserved for errors. */
const groupColours = ['accent', 'info', 'ok', 'warn', 'accent-2', 'accent-3'] as const satisfies ChartColour[]

export const groupName = (groupBy: GroupBy, value: string | null, nameOf: ReturnType<typeof useValueNames>): string =>
  nameOf(fieldOf(groupBy), value ?? '')

interface Grouped<Step> {
  groupBy: GroupBy
  groups: readonly { value: string | null; series: readonly Step[] | null }[]
  otherSeries: readonly Step[]
}

type Line<Step> = { label: string; colour: ChartColour; steps: readonly Step[] }

/** The lines of the top groups, and of all others. Values are no keys: one may be that of another line. */
export function groupLines<Step>(
  { groupBy, groups, otherSeries }: Grouped<Step>,
  nameOf: ReturnType<typeof useValueNames>,
) {
  const lines = groups.flatMap(({ value, series }, index): Line<Step>[] =>
    series ? [{ label: groupName(groupBy, value, nameOf), colour: groupColours[index] ?? 'muted', steps: series }] : [],
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
