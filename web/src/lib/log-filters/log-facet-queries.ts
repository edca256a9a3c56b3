import { queryOptions } from '@tanstack/react-query'
import { LogHistogram } from '#schemas/log-histogram.ts'
import { type LogValueField, LogValues } from '#schemas/log-values.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { jsonQuery, briefly } from '../queries/json-query.ts'
import { areUsable } from './filter-errors.ts'
import { filterParams } from './log-params.ts'
import type { LogSearch } from './log-search.ts'

// The keys begin as those of the lists, so that what refreshes these refreshes the counts, too.

export function histogramQuery(search: LogSearch, timezone: string) {
  const params = filterParams(search)
  params.set('timezone', timezone)
  const query = params.toString()
  return queryOptions({
    ...jsonQuery(LogHistogram, `${requestLogsPath}/histogram?${query}`, [requestLogsPath, 'histogram', query]),
    ...briefly,
  })
}

export function valuesQuery(search: LogSearch, fields: readonly LogValueField[]) {
  const params = filterParams(search)
  params.set('fields', fields.join(','))
  const query = params.toString()
  return queryOptions({
    ...jsonQuery(LogValues, `${requestLogsPath}/values?${query}`, [requestLogsPath, 'values', query]),
    ...briefly,
    enabled: areUsable(search),
  })
}
