import type { GroupBy } from '#schemas/analytics.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import type { ChartColour } from '#web/charts/chart-colours.ts'
import { credentialName, type useCredentialNames } from '#web/lib/credential-names.ts'
import { chosenValues, isExcluded, valueFilter, valuesFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { outcomeLabels } from '#web/lib/log-filters/outcome-labels.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'

export const groupLabels = {
  model: 'Model',
  token: 'Token',
  key: 'API key',
  endpoint: 'Endpoint',
  status: 'Status',
  outcome: 'Outcome',
  errorCode: 'Error code',
} satisfies Record<Exclude<GroupBy, `tag:${string}`>, string>

export const isTag = (groupBy: GroupBy): groupBy is `tag:${string}` => groupBy.startsWith('tag:')

export const groupLabel = (groupBy: GroupBy): string =>
  isTag(groupBy) ? `Tag ${groupBy.slice(4)}` : groupLabels[groupBy]

/** Colours of the top groups, in order; red is reserved for errors. */
export const groupColours = ['accent', 'info', 'ok', 'warn', 'accent-2', 'accent-3'] as const satisfies ChartColour[]

export function groupName(groupBy: GroupBy, value: string | null, names: ReturnType<typeof useCredentialNames>) {
  if (value === null) return 'None'
  if (groupBy === 'token') return visibleLine(credentialName(names.tokens, value))
  if (groupBy === 'key') return visibleLine(credentialName(names.keys, value))
  if (groupBy === 'status' && value === '0') return 'No response'
  const outcome = groupBy === 'outcome' ? RequestOutcome.safeParse(value).data : undefined
  return outcome ? outcomeLabels[outcome] : visibleLine(value)
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
