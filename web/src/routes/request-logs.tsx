import { createFileRoute } from '@tanstack/react-router'
import { readLogSearch } from '#web/features/request-logs/filters/log-search.ts'
import { logsPageQuery } from '#web/features/request-logs/request-logs-queries.ts'
import { RequestLogsScreen } from '#web/features/request-logs/request-logs-screen.tsx'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/request-logs')({
  validateSearch: readLogSearch,
  beforeLoad: requireUser,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void (deps.live || context.queryClient.prefetchQuery(logsPageQuery(deps))),
  component: RequestLogs,
})

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
