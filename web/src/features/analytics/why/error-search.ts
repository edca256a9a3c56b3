import type { ErrorGroup } from '#schemas/analytics-errors.ts'
import { valueFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { countedFilters } from '../use-open-logs.ts'

/** Longest search of the Request Logs screen, characters. */
const maxSearch = 200

/** Messages of this length may have been cut in the middle of a word, characters. */
const maxMessage = 300

/** The Request Logs filters that find a group's requests: its code or status, and the words of its pattern. */
export function errorSearch(group: ErrorGroup, filters: LogSearch): LogSearch {
  const { errorCode, status } = group
  let search = filters.search?.trim() ?? ''
  const mode = search ? filters.mode : undefined
  // An exact text can't be joined with words.
  const words = mode === 'substring' ? [] : wordsOf(group, mode)
  for (const word of words) {
    if (search.length + word.length >= maxSearch) break
    search = `${search} ${word}`.trimStart()
  }
  return {
    ...countedFilters({ status: 'failed' }, filters),
    ...valueFilter('errorCode', errorCode),
    ...(errorCode === null && { statusCode: status }),
    ...(search && { search }),
    mode,
  }
}

/** The words around the variable parts of a pattern. */
function wordsOf({ pattern, example }: ErrorGroup, mode: LogSearch['mode']): string[] {
  const words = pattern
    // What touches a variable part may be only a part of a word.
    .replaceAll(mode === 'words' ? /\S*<…>\S*/g : '<…>', ' ')
    .split(/\s+/)
    // Drops lone characters around the variable parts: they are not words.
    .filter((word) => /\p{L}{2}/u.test(word))
  return example.length >= maxMessage ? words.slice(0, -1) : words
}
