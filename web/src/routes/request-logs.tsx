import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { readLogSearch } from '#web/features/request-logs/filters/log-search.ts'
import { logsPageQuery } from '#web/features/request-logs/request-logs-queries.ts'
import { RequestLogsScreen } from '#web/features/request-logs/request-logs-screen.tsx'
import { readViewSearch } from '#web/lib/queries/views.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/request-logs')({
  validateSearch: readLogSearch,
  beforeLoad: requireUser,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    if (deps.view) return openView(queryClient, deps.view)
    if (!deps.live) void queryClient.prefetchQuery(logsPageQuery(deps))
  },
  component: RequestLogs,
})

async function openView(queryClient: QueryClient, id: string) {
  const search = await readViewSearch(queryClient, 'request-logs', id)
  if (search) throw redirect({ to: '/request-logs', search: readLogSearch(search), replace: true })
}

function RequestLogs() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <RequestLogsScreen
      search={search}
      onSearch={(next, options) =>
        void navigate({ search: next, resetScroll: false, replace: options?.replace ?? false })
      }
    />
  )
}
