import { createFileRoute } from '@tanstack/react-router'
import { analyticsQuery } from '#web/features/analytics/analytics-queries.ts'
import { AnalyticsScreen, preloadView } from '#web/features/analytics/analytics-screen.tsx'
import { measuredRange, readAnalyticsSearch } from '#web/features/analytics/analytics-search.ts'
import { estimateLogsQuery } from '#web/lib/queries/request-logs.ts'
import { rangeStatsQuery } from '#web/lib/queries/stats.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/analytics')({
  validateSearch: readAnalyticsSearch,
  beforeLoad: requireUser,
  loaderDeps: ({ search: { view, range, from, to } }) => ({ view, range, from, to }),
  loader: ({ context: { queryClient }, deps }) => {
    const { view = 'estimated', range = '7d' } = deps
    if (view === 'measured') void queryClient.prefetchQuery(analyticsQuery(measuredRange(deps)))
    else {
      void queryClient.prefetchQuery(estimateLogsQuery(range))
      void queryClient.prefetchQuery(rangeStatsQuery(range))
    }
    return preloadView(view)
  },
  component: Analytics,
})

function Analytics() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return <AnalyticsScreen search={search} onSearch={(next) => void navigate({ search: next, resetScroll: false })} />
}
