import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { fetchJson } from '../api.ts'

type QueryKey = readonly [string, ...unknown[]]

/** A GET of JSON, parsed with the schema; its key defaults to the path. */
export const jsonQuery = <Schema extends z.ZodType>(schema: Schema, path: string, queryKey: QueryKey = [path]) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => fetchJson(schema, 'GET', path, { signal }) })

/** For queries with many parameters: shows the last data until the next arrives, and doesn't keep it for long. */
export const briefly = { placeholderData: keepPreviousData, gcTime: 15_000 }

/** A GET with many parameters; a refresh of `root` refreshes it, too. @param path below `root` */
export function paramsQuery<Schema extends z.ZodType>(
  schema: Schema,
  root: string,
  path: string,
  params: URLSearchParams,
) {
  const url = `${root}${path}?${params.toString()}`
  return queryOptions({ ...jsonQuery(schema, url, [root, url]), ...briefly })
}
