import { useQuery } from '@tanstack/react-query'
import type { GroupBy } from '#schemas/analytics.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AnalyticsPlaceholder } from '../analytics-placeholder.tsx'
import { groupsQuery } from '../analytics-queries.ts'
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
  const query = useQuery(groupsQuery(filters, groupBy))
  const { data } = query
  if (!data) return <AnalyticsPlaceholder query={query} errorTitle="The groups could not be loaded" />
  return (
    <div className={query.isPlaceholderData ? 'flex flex-col gap-6 opacity-60' : 'flex flex-col gap-6'}>
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
