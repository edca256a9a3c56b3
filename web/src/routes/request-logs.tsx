import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useMemo } from 'react'
import { logsPageQuery } from '#web/features/request-logs/request-logs-queries.ts'
import { RequestLogsScreen } from '#web/features/request-logs/request-logs-screen.tsx'
import { areUsable } from '#web/lib/log-filters/filter-errors.ts'
import { readLogSearch } from '#web/lib/log-filters/log-search.ts'
import { readViewSearch } from '#web/lib/queries/views.ts'
import { anySearch } from '#web/lib/search-params.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/request-logs')({
  validateSearch: anySearch,
  beforeLoad: requireUser,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    const search = readLogSearch(deps)
    if (search.view) return openView(queryClient, search.view)
    if (!search.live && areUsable(search)) void queryClient.prefetchQuery(logsPageQuery(search))
  },
  component: RequestLogs,
})

async function openView(queryClient: QueryClient, id: string) {
  const search = await readViewSearch(queryClient, 'request-logs', id)
  if (search) throw redirect({ to: '/request-logs', search: readLogSearch(search), replace: true })
}

function RequestLogs() {
  const raw = Route.useSearch()
  const search = useMemo(() => readLogSearch(raw), [raw])
  const navigate = Route.useNavigate()
  return (
    <RequestLogsScreen
      search={search}
      onSearch={(update, options) =>
        void navigate({
          search: (latest) => update(readLogSearch(latest)),
          resetScroll: false,
          replace: options?.replace ?? false,
        })
      }
    />
  )
}
