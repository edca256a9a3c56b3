import { createFileRoute } from '@tanstack/react-router'
import { estimateLogsQuery } from '#web/features/analytics/analytics-queries.ts'
import { AnalyticsScreen } from '#web/features/analytics/analytics-screen.tsx'
import { readAnalyticsSearch } from '#web/features/analytics/analytics-search.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/analytics')({
  validateSearch: readAnalyticsSearch,
  beforeLoad: requireUser,
  loaderDeps: ({ search: { view, range } }) => ({ view, range }),
  loader: ({ context, deps }) =>
    void (deps.view === 'measured' || context.queryClient.prefetchQuery(estimateLogsQuery(deps.range ?? '7d'))),
  component: Analytics,
})

function Analytics() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return <AnalyticsScreen search={search} onSearch={(next) => void navigate({ search: next, resetScroll: false })} />
}
