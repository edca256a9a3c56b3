import { type FilterParameter, filterParameters } from '#schemas/log-names.ts'
import { RequestLogFilters } from '#schemas/request-logs.ts'
import { problemOf } from '#web/lib/api.ts'
import { filterParams } from './log-params.ts'
import type { LogSearch } from './log-search.ts'

export type FilterErrors = Partial<Record<FilterParameter, string>>

const parameterOf = (field: string) => Object.entries(filterParameters).find(([name]) => name === field)?.[1]

/** The filters as the API reads them. */
export function apiFilters(search: LogSearch) {
  const params = filterParams(search)
  const query = [...new Set(params.keys())].map((name) => {
    const values = params.getAll(name)
    return [name, values.length > 1 ? values : values[0]]
  })
  return RequestLogFilters.safeParse(Object.fromEntries(query))
}

/** Errors that the API would report, so that no call is sent that can't succeed. */
export function invalidFilters(search: LogSearch): FilterErrors {
  const { error } = apiFilters(search)
  return toErrors(error?.issues.map(({ path, message }) => ({ field: String(path[0]), message })))
}

export const areUsable = (search: LogSearch): boolean => apiFilters(search).success

/** Errors that the API has reported. */
export const rejectedFilters = (error: unknown): FilterErrors => toErrors(problemOf(error)?.errors)

const toErrors = (problems: readonly { field: string; message: string }[] = []): FilterErrors =>
  Object.fromEntries(
    problems.flatMap(({ field, message }) => {
      const parameter = parameterOf(field)
      return parameter ? [[parameter, message]] : []
    }),
  )
