import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { logsPageQuery } from '#web/features/request-logs/request-logs-queries.ts'
import { RequestLogsScreen } from '#web/features/request-logs/request-logs-screen.tsx'
import { readLogSearch } from '#web/lib/log-filters/log-search.ts'
import { anySearch } from '#web/lib/search-params.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/request-logs')({
  validateSearch: anySearch,
  beforeLoad: requireUser,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const search = readLogSearch(deps)
    if (!search.live) void context.queryClient.prefetchQuery(logsPageQuery(search))
  },
  component: RequestLogs,
})

function RequestLogs() {
  const raw = Route.useSearch()
  const search = useMemo(() => readLogSearch(raw), [raw])
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
