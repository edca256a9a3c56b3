import { useQuery } from '@tanstack/react-query'
import type { GroupBy } from '#schemas/analytics.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { isUnauthorized } from '#web/lib/text/error-text.ts'
import { formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { groupsQuery } from '../analytics-queries.ts'
import { LoadingAnalytics } from '../loading-analytics.tsx'
import type { Brush } from '../why/brush-menu.tsx'
import { GroupCharts } from './group-charts.tsx'
import { GroupTable } from './group-table.tsx'

type GroupSectionProps = {
  filters: LogSearch
  groupBy: GroupBy
  empty: string | undefined
  onBrush: (brush: Brush) => void
}

export function GroupSection({ filters, groupBy, empty, onBrush }: GroupSectionProps) {
  const zone = useTimeZone()
  const { data, error, refetch, isPlaceholderData } = useQuery(groupsQuery(filters, groupBy))
  if (error && !isUnauthorized(error)) {
    return (
      <Panel>
        <ErrorState title="The groups could not be loaded" error={error} onRetry={() => void refetch()} />
      </Panel>
    )
  }
  if (data === undefined) return <LoadingAnalytics />
  return (
    <div className={isPlaceholderData ? 'flex flex-col gap-6 opacity-60' : 'flex flex-col gap-6'}>
      {data.from <= data.availableFrom && (
        <Notice>
          Requests before {formatTime('minute', data.availableFrom, zone)} can no longer be grouped by this.
        </Notice>
      )}
      {data.groups.length > 0 && <GroupTable data={data} filters={filters} />}
      <GroupCharts data={data} filters={filters} empty={empty} onBrush={onBrush} />
    </div>
  )
}
