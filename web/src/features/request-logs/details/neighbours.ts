import { useQuery } from '@tanstack/react-query'
import { changeSearch, type LogSearch } from '#web/lib/log-filters/log-search.ts'
import { type LogPage, logsPageQuery, pageSize } from '../request-logs-queries.ts'

type Page = Pick<LogPage, 'page' | 'rows'> | undefined
type Neighbour = { log: string; page: number } | undefined

export type Neighbours = { previous: Neighbour; next: Neighbour }

/**
 * The logs above and below one in the list.
 * @param before the page before the list's; some of its rows may have moved to the list since
 */
export function neighboursOf(id: string | undefined, list: Page, before?: Page, after?: Page): Neighbours | undefined {
  const rows = list?.rows ?? []
  const at = rows.findIndex((row) => row.id === id)
  if (!list || at < 0) return undefined
  const isElsewhere = (row: { id: string }) => rows.every((listed) => listed.id !== row.id)
  const on = (page: Page, row: { id: string } | undefined) => page && row && { log: row.id, page: page.page }
  return {
    previous: at > 0 ? on(list, rows[at - 1]) : on(before, before?.rows.findLast(isElsewhere)),
    next: at < rows.length - 1 ? on(list, rows[at + 1]) : on(after, after?.rows.find(isElsewhere)),
  }
}

/** The adjacent page is loaded while the open log is among this many rows at an end of the page. */
const reach = 5

/** Loads the next page when one of the list's last logs is open, and the previous page for one of its first. */
export function useNeighbours(search: LogSearch, list: LogPage | undefined): Neighbours | undefined {
  const id = search.log
  const { page = 1, total = 0, rows = [] } = list ?? {}
  const pageAt = (number: number, isNeeded: boolean) => ({
    ...logsPageQuery(changeSearch(search, { page: number })),
    placeholderData: undefined,
    enabled: isNeeded && number >= 1 && number <= Math.ceil(total / pageSize),
  })
  const isAmong = (some: LogPage['rows']) => some.some((row) => row.id === id)
  const before = useQuery(pageAt(page - 1, isAmong(rows.slice(0, reach))))
  const after = useQuery(pageAt(page + 1, isAmong(rows.slice(-reach))))
  return neighboursOf(id, list, before.data, after.data)
}
