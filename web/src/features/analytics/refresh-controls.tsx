import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { statsPath } from '#web/lib/queries/stats.ts'
import { refreshShown } from '#web/lib/refresh.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { AutoRefresh } from '#web/ui/auto-refresh.tsx'
import { Button } from '#web/ui/button.tsx'
import { analyticsPath } from './analytics-queries.ts'

const keys = [analyticsPath, requestLogsPath, statsPath]

export function RefreshControls() {
  const client = useQueryClient()
  const isFetching = useIsFetching({ predicate: ({ queryKey: [key] }) => keys.some((path) => path === key) }) > 0
  return (
    <>
      <AutoRefresh screen="analytics" keys={keys} />
      <Button unavailable={isFetching} onClick={() => void refreshShown(client, keys)}>
        <RotateCw className={classNames(isFetching && 'animate-spin')} />
        Refresh
      </Button>
    </>
  )
}
