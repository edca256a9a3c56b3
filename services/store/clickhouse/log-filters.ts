import { type RequestLogFilters } from '#schemas/request-logs.ts'
import { noId } from './request-log-rows.ts'
import { routeOf } from './route-of.ts'

/** Conditions of a WHERE clause, and the values that are bound to its parameters. Values never become SQL text. */
export interface Conditions {
  sql: string[]
  params: Record<string, unknown>
}

/** `hasAllTokens` takes so many words at once. */
const wordsAtOnce = 64

/** Conditions on columns that rows and rollups both have. */
export function sharedConditions(filters: RequestLogFilters): Conditions {
  const { status, statusCode, method, model, endpoint, token, key } = filters
  const conditions: Conditions = { sql: [], params: {} }
  const add = (sql: string, params: Record<string, unknown> = {}) => {
    conditions.sql.push(sql)
    Object.assign(conditions.params, params)
  }
  if (status === 'success') add('status BETWEEN 200 AND 299')
  else if (status === 'error') add('status BETWEEN 400 AND 599')
  else if (status.endsWith('xx')) add('intDiv(status, 100) = {statusClass: UInt8}', { statusClass: Number(status[0]) })
  else if (status !== 'all') add('status = {status: UInt16}', { status: Number(status) })
  if (statusCode) add('status IN {statusCodes: Array(UInt16)}', { statusCodes: statusCode })
  if (method !== 'all') add('method = {method: String}', { method })
  if (model) add('model IN {models: Array(String)}', { models: model })
  if (endpoint) add('route IN {routes: Array(String)}', { routes: endpoint.map(routeOf) })
  if (token) add('token_id IN {tokens: Array(UUID)}', { tokens: token.map(orNoId) })
  if (key) add('api_key_id IN {keys: Array(UUID)}', { keys: key.map(orNoId) })
  return conditions
}

/** Conditions that only rows can answer. */
export function rowConditions(filters: RequestLogFilters): Conditions {
  const { minResponseTime, maxResponseTime, outcome, search, searchMode } = filters
  const conditions: Conditions = { sql: [], params: {} }
  const add = (sql: string, params: Record<string, unknown>) => {
    conditions.sql.push(sql)
    Object.assign(conditions.params, params)
  }
  if (minResponseTime !== undefined) add('response_time_ms >= {minResponseTime: UInt32}', { minResponseTime })
  if (maxResponseTime !== undefined) add('response_time_ms <= {maxResponseTime: UInt32}', { maxResponseTime })
  if (outcome) add('outcome IN {outcomes: Array(String)}', { outcomes: outcome })
  const text = search?.trim().toLowerCase()
  if (!text) return conditions
  if (searchMode === 'substring') {
    add('position(search, {text: String}) > 0', { text })
    return conditions
  }
  const words = wordsOf(text)
  if (words.length === 0) add('false', {})
  for (let at = 0; at < words.length; at += wordsAtOnce) {
    const name = `words${at}`
    add(`hasAllTokens(search, {${name}: Array(String)})`, { [name]: words.slice(at, at + wordsAtOnce) })
  }
  return conditions
}

export const hasSearch = ({ search }: RequestLogFilters): boolean => Boolean(search?.trim())

/** Cuts a text as the index does: at everything in ASCII that is neither letter nor digit. */
const wordsOf = (text: string): string[] => [...new Set(text.split(/[^0-9A-Za-z\u0080-\u{10ffff}]+/u).filter(Boolean))]

const orNoId = (id: string) => (id === 'none' ? noId : id)
