import { noId } from '#schemas/log-names.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { routeOf } from '#schemas/route-of.ts'
import { foldText, unescapeJson } from './search-text.ts'

/** Conditions of a WHERE clause and their parameters. Values never become SQL text. */
export interface Conditions {
  sql: string[]
  params: Record<string, unknown>
}

/** Maximum number of words in `hasAllTokens`. */
const wordsPerGroup = 64

type ToConditions = (filters: RequestLogFilters) => Conditions | undefined

/** Filters on columns that rows and rollups both have. */
const sharedFilters = {
  status: ({ status }) => {
    if (status === 'all') return undefined
    if (status === 'success') return { sql: ['status BETWEEN 200 AND 299'], params: {} }
    if (status === 'error') return { sql: ['status BETWEEN 400 AND 599'], params: {} }
    if (status === 'failed') return { sql: ['(status = 0 OR status >= 400)'], params: {} }
    if (status.endsWith('xx')) return compare('intDiv(status, 100) =', 'UInt8', { statusClass: Number(status[0]) })
    return compare('status =', 'UInt16', { status: Number(status) })
  },
  statusCode: ({ statusCode }) => compare('status IN', 'Array(UInt16)', { statusCode }),
  method: ({ method }) => (method === 'all' ? undefined : compare('method =', 'String', { method })),
  // In a list, `model` is the selected field, which is NULL without a model.
  model: ({ model }) => compare("ifNull(model, '') IN", 'Array(String)', { model }),
  endpoint: ({ endpoint }) => compare('route IN', 'Array(String)', { endpoint: endpoint?.map(routeOf) }),
  token: ({ token }) => compare('token_id IN', 'Array(UUID)', { token: token?.map(orNoId) }),
  key: ({ key }) => compare('api_key_id IN', 'Array(UUID)', { key: key?.map(orNoId) }),
} satisfies Partial<Record<keyof RequestLogFilters, ToConditions>>

type RangeFilter = 'timeRange' | 'from' | 'to'

/** Filters on columns that only rows have. */
const rowFilters: Record<
  Exclude<keyof RequestLogFilters, keyof typeof sharedFilters | RangeFilter | 'not'>,
  ToConditions
> = {
  minResponseTime: ({ minResponseTime }) => compare('response_time_ms >=', 'UInt32', { minResponseTime }),
  maxResponseTime: ({ maxResponseTime }) => compare('response_time_ms <=', 'UInt32', { maxResponseTime }),
  outcome: ({ outcome }) => compare('outcome IN', 'Array(String)', { outcome }),
  errorCode: ({ errorCode }) => compare('error_code IN', 'Array(String)', { errorCode }),
  cache: ({ cache }) =>
    compare('cache_status IN', 'Array(String)', { cache: cache?.map((each) => (each === 'none' ? '' : each)) }),
  retried: ({ retried }) => retried && { sql: [retried === 'true' ? 'attempts > 1' : 'attempts <= 1'], params: {} },
  failedOver: ({ failedOver }) =>
    failedOver && { sql: [failedOver === 'true' ? 'failed_over' : 'NOT failed_over'], params: {} },
  cost: ({ cost }) => cost && { sql: [`cost_nano_usd IS ${cost === 'known' ? 'NOT ' : ''}NULL`], params: {} },
  tag: ({ tag, not }) => {
    const values = Map.groupBy(tag ?? [], (text) => text.slice(0, text.indexOf(':')))
    const conditions = [...values].map(([key, texts], at) => ({
      sql: `${not?.includes(`tag:${key}`) ? 'NOT ' : ''}tags[{tag${at}: String}] IN {tagValues${at}: Array(String)}`,
      params: { [`tag${at}`]: key, [`tagValues${at}`]: texts.map((text) => text.slice(key.length + 1)) },
    }))
    return joined(conditions)
  },
  search: ({ search, searchMode }) => {
    const text = search?.trim()
    if (!text || searchMode !== 'words') return undefined
    return joined([anyOf(spellingsOf(text).map(hasWords))])
  },
  searchMode: ({ search, searchMode }) => {
    const text = search?.trim()
    if (!text || searchMode === 'words') return undefined
    const parts = searchMode === 'parts' ? [...new Set(text.split(/\s+/))] : [text]
    const conditions = parts.map((part, at) =>
      anyOf(
        spellingsOf(part).map((spelling, other) => ({
          sql: [`position(search, {part${at}_${other}: String}) > 0`],
          params: { [`part${at}_${other}`]: spelling },
        })),
      ),
    )
    return joined(conditions)
  },
}

export const sharedConditions = (filters: RequestLogFilters): Conditions => conditionsOf(sharedFilters, filters)
export const rowConditions = (filters: RequestLogFilters): Conditions => conditionsOf(rowFilters, filters)

/** All filters except the range. */
export function filterConditions(filters: RequestLogFilters): Conditions {
  const [shared, row] = [sharedConditions(filters), rowConditions(filters)]
  return { sql: [...shared.sql, ...row.sql], params: { ...shared.params, ...row.params } }
}

export const noConditions: Conditions = { sql: [], params: {} }

function conditionsOf(table: Record<string, ToConditions>, filters: RequestLogFilters): Conditions {
  const excluded = new Set<string>(filters.not)
  const conditions = Object.entries(table).flatMap(([name, toConditions]) => {
    const found = toConditions(filters)
    if (!found || found.sql.length === 0) return []
    return excluded.has(name) ? { ...found, sql: [`NOT (${found.sql.join(' AND ')})`] } : found
  })
  return {
    sql: conditions.flatMap(({ sql }) => sql),
    params: Object.assign({}, ...conditions.map(({ params }) => params)),
  }
}

const joined = (conditions: readonly { sql: string; params: object }[]): Conditions => ({
  sql: conditions.map(({ sql }) => sql),
  params: Object.assign({}, ...conditions.map(({ params }) => params)),
})

const anyOf = (alternatives: readonly Conditions[]): { sql: string; params: object } => ({
  sql: `(${alternatives.map(({ sql }) => sql.join(' AND ')).join(' OR ')})`,
  params: Object.assign({}, ...alternatives.map(({ params }) => params)),
})

/** A text may be copied from a JSON body, whose escapes are replaced in the searchable text. */
const spellingsOf = (text: string): string[] => [...new Set([text, unescapeJson(text)].map(foldText))]

function hasWords(text: string, spelling: number): Conditions {
  const words = wordsOf(text)
  if (words.length === 0) return { sql: ['false'], params: {} }
  const groups = Array.from({ length: Math.ceil(words.length / wordsPerGroup) }, (_, at) => ({
    [`words${spelling}_${at}`]: words.slice(at * wordsPerGroup, (at + 1) * wordsPerGroup),
  }))
  const sql = groups.flatMap(Object.keys).map((name) => `hasAllTokens(search, {${name}: Array(String)})`)
  return { sql, params: Object.assign({}, ...groups) }
}

/** @param parameter name and value; an undefined value means no filter */
function compare(comparison: string, type: string, parameter: Record<string, unknown>): Conditions | undefined {
  const [[name, value] = []] = Object.entries(parameter)
  return value === undefined ? undefined : { sql: [`${comparison} {${name}: ${type}}`], params: parameter }
}

export const hasSearch = ({ search }: RequestLogFilters): boolean => Boolean(search?.trim())

/** Splits text as the index does: at each ASCII character that is neither a letter nor a digit. */
const wordsOf = (text: string): string[] => [...new Set(text.split(/[^0-9A-Za-z\u0080-\u{10ffff}]+/u).filter(Boolean))]

const orNoId = (id: string) => (id === 'none' ? noId : id)
