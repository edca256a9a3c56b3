import type { AlertDraft, AlertMeasure } from '#schemas/alerts.ts'
import { apiFilters } from './filter-errors.ts'
import type { ValueField } from './filter-values.ts'
import type { LogSearch } from './log-search.ts'

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
