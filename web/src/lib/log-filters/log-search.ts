import { z } from 'zod'
import { splitList } from '#schemas/list-text.ts'
import type { FilterParameter } from '#schemas/log-names.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import { Moment } from '#schemas/time-range.ts'
import { day } from '#schemas/units.ts'
import { chartTables, exactText, readSearch, searchText, withoutDefaults } from '#web/lib/search-params.ts'
import { logRanges } from '#web/lib/time-ranges.ts'

export const statusLabels = { success: 'Success (2xx)', error: 'Error (4xx/5xx)', failed: 'Failed' } as const

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

const duration = z.number().int().min(0).max(day)

/** 20 values of 128 characters, each of which may be escaped. Spaces at the ends belong to them: a client can send them. */
const values = exactText(6_000)

const listOf = (item: z.ZodType) =>
  values.refine((text) => splitList(text).every((value) => item.safeParse(value).success))

/** `none`: requests without a token or key. */
const idsOrNone = listOf(z.union([z.literal('none'), z.uuid()]))

export const filterShape = {
  search: searchText(200),
  /** Parts of words are the default; a substring needs a time range. */
  mode: z.enum(['words', 'substring']),
  status: z.enum(['all', 'success', 'error', 'failed']),
  method: z.enum(['all', ...methods]),
  range: z.enum(logRanges),
  from: Moment,
  to: Moment,
  /** Empty: requests without a model. */
  model: z.union([z.literal(''), values]),
  endpoint: values,
  token: idsOrNone,
  key: idsOrNone,
  statusCode: z.union([z.number().int().min(0).max(999), listOf(z.string().regex(/^(0|[1-9]\d\d)$/))]),
  minTime: duration,
  maxTime: duration,
  outcome: listOf(RequestOutcome),
  errorCode: values,
  cache: listOf(z.enum(['hit', 'miss', 'none'])),
  retried: z.enum(['true', 'false']),
  failedOver: z.enum(['true', 'false']),
  cost: z.enum(['known', 'unknown']),
  tag: z.array(z.string().regex(/^[\w.-]{1,64}:.{0,256}$/s)).max(20),
  not: searchText(2_000),
} satisfies Record<FilterParameter, z.ZodType>

const orders = [
  'newest',
  'oldest',
  'slowest',
  'fastest',
  'mostTokens',
  'fewestTokens',
  'costliest',
  'cheapest',
] as const
export type LogOrder = (typeof orders)[number]

/** The state of the screen in its URL; a missing parameter has its default. */
const shape = {
  ...filterShape,
  page: z.number().int().min(1).max(1_000_000_000),
  sort: z.enum(orders),
  /** Shown columns from left to right, some with a width, as in `status,endpoint:320`. */
  columns: searchText(400),
  live: z.boolean(),
  log: z.uuid(),
  tables: chartTables,
  /** A saved view, whose parameters replace this one. */
  view: z.uuid(),
}

export type LogSearch = ReturnType<typeof readLogSearch>

/** The filters in the state of the screen. */
export type LogFilters = Pick<LogSearch, FilterParameter>

export const readLogSearch = (raw: Record<string, unknown>) => readSearch(shape, raw)

export const filterDefaults = { search: '', endpoint: '', status: 'all', method: 'all' }
const defaults = { ...filterDefaults, page: 1, sort: 'newest', live: false }

/** Applies a change; drops defaults and notices about the link, keeps the page (product.md 10.10). */
export const changeSearch = (search: LogSearch, change: Partial<LogSearch>): LogSearch =>
  withoutDefaults({ ...search, ignored: undefined, view: undefined, ...change }, defaults)

/** The state that a view keeps: not the page, whose rows change, nor what is open. */
export const viewSearch = (search: LogSearch) =>
  changeSearch(search, { page: undefined, log: undefined, live: undefined })
