import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useMemo } from 'react'
import { analyticsQuery } from '#web/features/analytics/analytics-queries.ts'
import { AnalyticsScreen, preloadView } from '#web/features/analytics/analytics-screen.tsx'
import { measuredFilters, readAnalyticsSearch } from '#web/features/analytics/analytics-search.ts'
import { areUsable } from '#web/lib/log-filters/filter-errors.ts'
import { estimateLogsQuery } from '#web/lib/queries/request-logs.ts'
import { rangeStatsQuery } from '#web/lib/queries/stats.ts'
import { readViewSearch } from '#web/lib/queries/views.ts'
import { anySearch } from '#web/lib/search-params.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/analytics')({
  validateSearch: anySearch,
  beforeLoad: requireUser,
  loaderDeps: ({ search: { tab: _1, compare: _2, tables: _3, bars: _4, groupBy: _5, changed: _6, ...deps } }) => deps,
  loader: ({ context: { queryClient }, deps }) => {
    const search = readAnalyticsSearch(deps)
    const { view = 'estimated', range = '7d', saved } = search
    if (saved) return openView(queryClient, saved)
    const filters = measuredFilters(search)
    if (view === 'measured') {
      if (areUsable(filters)) void queryClient.prefetchQuery(analyticsQuery(filters))
    } else {
      void queryClient.prefetchQuery(estimateLogsQuery(range))
      void queryClient.prefetchQuery(rangeStatsQuery(range))
    }
    return preloadView(view)
  },
  component: Analytics,
})

async function openView(queryClient: QueryClient, id: string) {
  const search = await readViewSearch(queryClient, 'analytics', id)
  if (search) throw redirect({ to: '/analytics', search: readAnalyticsSearch(search), replace: true })
}

function Analytics() {
  const raw = Route.useSearch()
  const search = useMemo(() => readAnalyticsSearch(raw), [raw])
  const navigate = Route.useNavigate()
  return (
    <AnalyticsScreen
      search={search}
      onSearch={(update) =>
        void navigate({ search: (latest) => update(readAnalyticsSearch(latest)), resetScroll: false })
      }
    />
  )
}
