import { uuidTimeMs } from '#core/uuid-time.ts'
import { type EventField, type LogField, logFields, noId, type StoredField } from '#schemas/log-names.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { routeOf } from './route-of.ts'

/** The searchable part of each kept body, characters. */
const searchedBody = 16_384

/** Times that a log may have: no proxy mints an id outside of them. */
const earliest = Date.UTC(2020)
const latest = Date.UTC(2100)

export const hasPlausibleTime = (id: string): boolean => uuidTimeMs(id) >= earliest && uuidTimeMs(id) < latest

type Columns = Record<string, (event: RequestEvent) => unknown>

const fields = Object.entries(logFields) as [EventField, LogField][]

const columnsOf = (chosen: typeof fields): Columns =>
  Object.fromEntries(chosen.map(([name, field]) => [field.column, (event) => toValue(event[name], field)]))

const keyColumns: Columns = {
  account_id: (event) => event.accountId,
  created_at: (event) => uuidTimeMs(event.id),
  id: (event) => event.id,
}
const ofLog: Columns = {
  ...keyColumns,
  ...columnsOf(fields.filter(([, field]) => !field.isDetail)),
  route: (event) => routeOf(event.endpoint),
  search: searchTextOf,
}
const ofDetails: Columns = { ...keyColumns, ...columnsOf(fields.filter(([, field]) => field.isDetail)) }

export const logColumns = Object.keys(ofLog)
export const detailsColumns = Object.keys(ofDetails)

/** Rows of a batch, ready to be inserted: the same events always give the same rows. */
export interface RequestLogRows {
  count: number
  /** JSONCompactEachRow of `logColumns` and of `detailsColumns`. */
  logs: Buffer
  details: Buffer
}

/** Bytes rather than text: they lie outside of the heap and are sent without another copy. */
export function toRows(events: Iterable<RequestEvent>): RequestLogRows {
  let [count, logs, details] = [0, '', '']
  for (const event of events) {
    count += 1
    logs += toLine(event, logValues)
    details += toLine(event, detailsValues)
  }
  return { count, logs: Buffer.from(logs), details: Buffer.from(details) }
}

const [logValues, detailsValues] = [Object.values(ofLog), Object.values(ofDetails)]

const toLine = (event: RequestEvent, values: readonly Columns[string][]): string =>
  `${JSON.stringify(values.map((value) => wellFormed(value(event))))}\n`

/** Half a character, from a client or where a text is cut, is an error to ClickHouse, and would keep a whole group out. */
const wellFormed = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

function toValue(value: RequestEvent[EventField], { isJson, none, max, maxLength }: LogField): unknown {
  if (isJson) return JSON.stringify(value)
  if (value === null) return none ?? null
  if (typeof value === 'number' && max !== undefined) return Math.min(value, max)
  return typeof value === 'string' ? value.slice(0, maxLength) : value
}

/** The text that a search looks into, in lower case; bodies only where they are kept. */
function searchTextOf(event: RequestEvent): string {
  const parts = [
    event.method,
    event.endpoint.slice(0, logFields.endpoint.maxLength),
    event.model?.slice(0, logFields.model.maxLength),
    event.status,
    event.outcome,
    event.id,
    event.providerRequestId?.slice(0, logFields.providerRequestId.maxLength),
    event.errorMessage?.slice(0, logFields.errorMessage.maxLength),
    event.userAgent?.slice(0, logFields.userAgent.maxLength),
    event.requestBody?.slice(0, searchedBody),
    event.responseBody?.slice(0, searchedBody),
  ]
  return parts.filter(Boolean).join('\n').toLowerCase()
}

/** The columns behind fields of the API, for a SELECT. */
export const selectFields = (names: readonly StoredField[]): string => names.map(selectField).join(', ')

function selectField(name: StoredField): string {
  const field = fields.find(([, { api }]) => api === name)?.[1]
  if (!field) return 'created_at AS createdAt'
  const { column, isDetail, none } = field
  const source = isDetail ? `details.${column}` : column
  if (none === undefined) return `${source} AS ${name}`
  return `nullIf(${source}, ${none === noId ? `toUUID('${noId}')` : `''`}) AS ${name}`
}
