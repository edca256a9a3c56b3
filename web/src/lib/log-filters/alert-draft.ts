import type { AlertDraft, AlertFilters, AlertMeasure } from '#schemas/alerts.ts'
import { joinList } from '#schemas/list-text.ts'
import { filterParameters } from '#schemas/log-names.ts'
import { apiFilters } from './filter-errors.ts'
import type { ValueField } from './filter-values.ts'
import { type LogFilters, type LogSearch, readLogSearch } from './log-search.ts'

const groups = ['model', 'endpoint', 'token', 'key'] as const

/** An alert on the shown numbers: their filters except the range, and their grouping if alerts support it. */
export function alertDraft(measure: AlertMeasure, search: LogSearch, groupBy?: ValueField | 'status'): AlertDraft {
  const parsed = apiFilters(search).data
  const group = groupBy?.startsWith('tag:') ? groupBy : groups.find((name) => name === groupBy)
  const draft: AlertDraft = { measure, ...(group && { group }) }
  if (!parsed) return draft
  const { search: text, searchMode: _mode, timeRange: _range, from: _from, to: _to, ...filters } = parsed
  return { ...draft, filters, ...(text && { search: text }) }
}

/** An alert's filters as those of the request logs. */
export function logFilters(filters: AlertFilters): LogFilters {
  const values: Record<string, unknown> = filters
  const texts = Object.entries(filterParameters).map(([name, parameter]) => [parameter, textOf(values[name])])
  return readLogSearch({ ...Object.fromEntries(texts), tag: filters.tag })
}

const textOf = (value: unknown) => (Array.isArray(value) ? joinList(value.map(String)) || ',' : value)
