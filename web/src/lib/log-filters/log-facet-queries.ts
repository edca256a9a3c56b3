import { queryOptions } from '@tanstack/react-query'
import { LogHistogram } from '#schemas/log-histogram.ts'
import { type LogValueField, LogValues } from '#schemas/log-values.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { jsonQuery, briefly } from '../queries/json-query.ts'
import { areUsable } from './filter-errors.ts'
import { filterParams } from './log-params.ts'
import type { LogSearch } from './log-search.ts'

const histogramPath = `${requestLogsPath}/histogram`
const valuesPath = `${requestLogsPath}/values`

/** First parts of the keys of the queries below. */
export const facetKeys = [histogramPath, valuesPath]

export function histogramQuery(search: LogSearch, timezone: string) {
  const params = filterParams(search)
  params.set('timezone', timezone)
  const query = params.toString()
  return queryOptions({
    ...jsonQuery(LogHistogram, `${histogramPath}?${query}`, [histogramPath, query]),
    ...briefly,
  })
}

export function valuesQuery(search: LogSearch, fields: readonly LogValueField[]) {
  const params = filterParams(search)
  params.set('fields', fields.join(','))
  const query = params.toString()
  return queryOptions({
    ...jsonQuery(LogValues, `${valuesPath}?${query}`, [valuesPath, query]),
    ...briefly,
    enabled: areUsable(search),
  })
}
