import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { fetchJson } from './api.ts'

type QueryKey = readonly [string, ...unknown[]]

/** A GET of JSON, which the contract parses; its key is the path unless another is given. */
export const jsonQuery = <Schema extends z.ZodType>(schema: Schema, path: string, queryKey: QueryKey = [path]) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => fetchJson(schema, 'GET', path, { signal }) })

/** For queries with many parameters: the last data is shown until the next is there, and not kept for long. */
export const briefly = { placeholderData: keepPreviousData, gcTime: 15_000 }
