import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { LogHistogram } from '#schemas/log-histogram.ts'
import { type LogValueField, LogValues } from '#schemas/log-values.ts'
import { fetchJson } from '#web/lib/api.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
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
    queryKey: [histogramPath, query],
    queryFn: ({ signal }) => fetchJson(LogHistogram, 'GET', `${histogramPath}?${query}`, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}

export function valuesQuery(search: LogSearch, fields: readonly LogValueField[]) {
  const params = filterParams(search)
  params.set('fields', fields.join(','))
  const query = params.toString()
  return queryOptions({
    queryKey: [valuesPath, query],
    enabled: areUsable(search),
    queryFn: ({ signal }) => fetchJson(LogValues, 'GET', `${valuesPath}?${query}`, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}
