import type { ErrorGroup } from '#schemas/analytics-errors.ts'
import { valueFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { countedFilters } from '../use-open-logs.ts'

const variable = '<…>'

/** Longest search of the Request Logs screen, characters. */
const maxSearch = 200

/** Messages of this length may have been cut in the middle of a word, characters. */
const maxMessage = 300

/** The Request Logs filters that find a group's requests: its code or status, and the words of its pattern. */
export function errorSearch({ errorCode, status, pattern, example }: ErrorGroup, filters: LogSearch): LogSearch {
  const words = pattern
    .replaceAll(variable, ' ')
    .split(/\s+/)
    // Drops lone characters around the variable parts: they are not words.
    .filter((word) => /\p{L}{2}/u.test(word))
  if (example.length >= maxMessage) words.pop()
  let search = ''
  for (const word of words) {
    if (search.length + word.length >= maxSearch) break
    search = `${search} ${word}`.trimStart()
  }
  return {
    ...countedFilters({ status: 'failed' }, filters),
    ...valueFilter('errorCode', errorCode),
    ...(errorCode === null && { statusCode: status }),
    ...(search && { search }),
  }
}
