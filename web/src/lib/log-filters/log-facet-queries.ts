import { queryOptions } from '@tanstack/react-query'
import { LogHistogram } from '#schemas/log-histogram.ts'
import { type LogValueField, LogValues } from '#schemas/log-values.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { paramsQuery } from '../queries/json-query.ts'
import { areUsable } from './filter-errors.ts'
import { filterParams } from './log-params.ts'
import type { LogSearch } from './log-search.ts'

export function histogramQuery(search: LogSearch, timezone: string) {
  const params = filterParams(search)
  params.set('timezone', timezone)
  return paramsQuery(LogHistogram, requestLogsPath, '/histogram', params)
}

export function valuesQuery(search: LogSearch, fields: readonly LogValueField[]) {
  const params = filterParams(search)
  params.set('fields', fields.join(','))
  return queryOptions({
    ...paramsQuery(LogValues, requestLogsPath, '/values', params),
    enabled: areUsable(search),
  })
}
