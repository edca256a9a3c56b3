import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { useStored } from '#web/lib/use-stored.ts'
import { changeSearch, type LogSearch, readLogSearch } from '#web/lib/log-filters/log-search.ts'

const SavedView = z.object({ name: z.string().min(1).max(60), search: z.record(z.string(), z.unknown()) })
const SavedViews = z.array(SavedView).max(50)
export type SavedView = z.infer<typeof SavedView>

const none: SavedView[] = []

/** Named filters and sort order, without the page, whose rows change. */
export function useSavedViews() {
  const { data: user } = useQuery(currentUserQuery)
  const [views, setViews] = useStored(`sallyport.logs.views.${user?.id}`, SavedViews, none)
  return {
    views,
    save: (name: string, search: LogSearch) => {
      const kept = changeSearch(search, { page: undefined, log: undefined, live: undefined })
      setViews([...views.filter((view) => view.name !== name), { name, search: kept }].slice(-50))
    },
    remove: (name: string) => setViews(views.filter((view) => view.name !== name)),
  }
}

/** Stored views can be older than the current filter names. */
export const searchOf = (view: SavedView) => readLogSearch(view.search)
