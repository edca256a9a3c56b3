import { keysOf, mapValues } from '#core/records.ts'
import { remember } from '#core/remember.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import { type EventField, type LogField, logFields, noId, type StoredField } from '#schemas/log-names.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { previousSecretTag } from '#schemas/tags.ts'
import { routeOf } from '#schemas/route-of.ts'
import { foldText, unescapeJson } from './search-text.ts'

/** Length of the searchable part of each stored body, characters. */
const searchedBody = 16_384

/** No proxy creates an id outside these times. */
const earliest = Date.UTC(2020)
const latest = Date.UTC(2100)

export const hasPlausibleTime = (id: string): boolean => uuidTimeMs(id) >= earliest && uuidTimeMs(id) < latest

/** Cached, because most requests go to a few endpoints. */
const routeOfEndpoint = remember((endpoint) => wellFormed(routeOf(endpoint)))

type ToValue = (event: RequestEvent) => unknown
type Columns = Record<string, ToValue>

const fields: [EventField, LogField][] = keysOf(logFields).map((name) => [name, logFields[name]])

const columnsOf = (chosen: typeof fields): Columns =>
  Object.fromEntries(chosen.map(([name, field]) => [field.column, columnOf(name, field)]))

const keyColumns: Columns = {
  account_id: (event) => event.accountId,
  created_at: (event) => uuidTimeMs(event.id),
  id: (event) => event.id,
}
const logTable: Columns = {
  ...keyColumns,
  ...columnsOf(fields.filter(([, field]) => !field.isDetail)),
  route: ({ endpoint }) => routeOfEndpoint(endpoint),
  tags: ({ tags }) => (Object.values(tags).some(hasNul) ? mapValues(tags, withoutNul) : tags),
  failed_over: ({ attemptLog }) => attemptLog.some(({ apiKeyId }) => apiKeyId !== attemptLog[0]?.apiKeyId),
  search: searchTextOf,
}
const detailsTable: Columns = { ...keyColumns, ...columnsOf(fields.filter(([, field]) => field.isDetail)) }

export const logColumns = Object.keys(logTable)
export const detailsColumns = Object.keys(detailsTable)

/** Rows of a batch. The same events always give the same rows. */
export interface RequestLogRows {
  count: number
  /** JSONCompactEachRow of `logColumns` and of `detailsColumns`. */
  logs: Buffer
  details: Buffer
}

/** Returns buffers, because they are outside the heap and are sent without another copy. */
export function toRows(events: Iterable<RequestEvent>): RequestLogRows {
  let [count, logs, details] = [0, '', '']
  for (const event of events) {
    count += 1
    logs += toLine(event, logValues)
    details += toLine(event, detailsValues)
  }
  return { count, logs: Buffer.from(logs), details: Buffer.from(details) }
}

const [logValues, detailsValues] = [Object.values(logTable), Object.values(detailsTable)]

const toLine = (event: RequestEvent, values: readonly ToValue[]): string =>
  `${JSON.stringify(values.map((toValue) => toValue(event)))}\n`

/** Chooses the conversion of a column once, because it runs for every event. */
function columnOf(name: EventField, { isJson, none, max, maxLength }: LogField): ToValue {
  if (isJson) return (event) => (event[name] === undefined ? '' : JSON.stringify(event[name]))
  if (max !== undefined) return (event) => atMost(event[name], max)
  return (event) => {
    const value = event[name]
    if (typeof value === 'string') return maxLength === undefined ? wellFormed(value) : nameOf(value, maxLength)
    return value === null ? (none ?? null) : value
  }
}

const atMost = (value: unknown, max: number) => (typeof value === 'number' && value > max ? max : value)

/** A lone surrogate, even one left by truncation, is an error in ClickHouse and would fail the whole insert. */
function wellFormed(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const kept = text.length > maxLength ? text.slice(0, maxLength) : text
  return kept.isWellFormed() ? kept : kept.toWellFormed()
}

/** Postgres keeps groups of alerts and texts of mails, and can't store NUL. */
const hasNul = (text: string) => text.includes('\0')
const withoutNul = (text: string) => (hasNul(text) ? text.replaceAll('\0', '\ufffd') : text)

const nameOf = (text: string, maxLength: number) => withoutNul(wellFormed(text, maxLength))

const searchedFields = [
  'endpoint',
  'model',
  'providerRequestId',
  'errorMessage',
  'errorCode',
  'errorType',
  'userAgent',
] as const

/** The searchable text, folded. */
function searchTextOf(event: RequestEvent): string {
  const { method, status, outcome, id, requestBody, responseBody } = event
  const texts = searchedFields.map((name) => event[name]?.slice(0, logFields[name].maxLength))
  const bodies = [requestBody, responseBody].map((body) => body && unescapeJson(body.slice(0, searchedBody)))
  // Links from before the tag existed search for this text.
  const secret = previousSecretTag in event.tags && 'previous-secret'
  const parts = [method, status, outcome, id, secret, ...texts, ...bodies]
  return wellFormed(foldText(parts.filter(Boolean).join('\n')))
}

/** Columns of API fields, for a SELECT. */
export const selectFields = (names: readonly StoredField[]): string => names.map(selectField).join(', ')

function selectField(name: StoredField): string {
  const field = fields.find(([, { api }]) => api === name)?.[1]
  if (!field) return 'created_at AS createdAt'
  const { column, isDetail, none } = field
  const source = isDetail ? `details.${column}` : column
  if (none === undefined) return `${source} AS ${name}`
  return `nullIf(${source}, ${none === noId ? `toUUID('${noId}')` : `''`}) AS ${name}`
}
