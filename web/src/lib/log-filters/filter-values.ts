import { joinList, splitList } from '#schemas/list-text.ts'
import type { FilterParameter } from '#schemas/log-names.ts'
import type { excludable } from '#schemas/request-logs.ts'
import type { LogFilters, LogSearch } from './log-search.ts'

/** Filters that take several values. */
export type ListFilter = (typeof excludable)[number]

/** A filter of several values: its name, or `tag:` and the key. */
export type ValueField = ListFilter | `tag:${string}`

export const isTag = (field: string): field is `tag:${string}` => field.startsWith('tag:')

/** `tag:customer` for the tag `customer:acme`. */
export const tagField = (tag: string) => `tag:${tag.slice(0, tag.indexOf(':'))}` as const

/** `customer:` for the field `tag:customer`. */
const tagPrefix = (field: ValueField) => `${field.slice('tag:'.length)}:`

/** The chosen values; an empty one means requests without a value. */
export function chosenValues(search: LogSearch, field: ValueField): string[] {
  if (!isTag(field)) return search[field] === undefined ? [] : [...new Set(splitList(String(search[field])))]
  const prefix = tagPrefix(field)
  return (search.tag ?? []).filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length))
}

export const isExcluded = (search: LogSearch, field: ValueField) => excluded(search).includes(field)

const excluded = ({ not }: LogSearch) => not?.split(',') ?? []

/** The change that chooses these values of a field, or all but these. */
export function chooseValues(
  search: LogSearch,
  field: ValueField,
  values: readonly string[],
  isNot = isExcluded(search, field),
): Partial<LogSearch> {
  const others = excluded(search).filter((name) => name !== field)
  const not = (isNot && values.length > 0 ? [...others, field] : others).join(',') || undefined
  // The router would quote a string that looks like a number.
  if (field === 'statusCode' && values.length === 1) return { statusCode: Number(values[0]), not }
  if (!isTag(field)) return { [field]: listText(values), not }
  const prefix = tagPrefix(field)
  const tags = (search.tag ?? []).filter((tag) => !tag.startsWith(prefix))
  tags.push(...values.map((value) => prefix + value))
  return { tag: tags.length > 0 ? tags : undefined, not }
}

/** The change that removes a filter, and its exclusion: the next value would be excluded too. */
export function removeFilter(search: LogFilters, name: FilterParameter): LogFilters {
  const kept = excluded(search).filter((field) => field !== name && !(name === 'tag' && field.startsWith('tag:')))
  return { [name]: undefined, not: kept.join(',') || undefined }
}

/** The filter for requests with one value, or without any. */
export const valueFilter = (field: ValueField, value: string | null): Partial<LogSearch> => valuesFilter(field, [value])

export const valuesFilter = (field: ValueField, values: readonly (string | null)[], isNot = false) =>
  chooseValues(
    {},
    field,
    values.map((value) => value ?? (field === 'token' || field === 'key' ? 'none' : '')),
    isNot,
  )

/** A single comma is a list with one empty value, unlike an empty text. */
const listText = (values: readonly string[]) => (values.length === 0 ? undefined : joinList(values) || ',')
