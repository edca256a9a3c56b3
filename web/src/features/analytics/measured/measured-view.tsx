import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { formatTime } from '#web/lib/text/format.ts'
import { invalidFilters } from '#web/lib/log-filters/filter-errors.ts'
import { useValuesPanel, ValuesLayout } from '#web/lib/log-filters/values/values-layout.tsx'
import { ValuesPanel } from '#web/lib/log-filters/values/values-panel.tsx'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { AnalyticsPlaceholder } from '../analytics-placeholder.tsx'
import { analyticsQuery } from '../analytics-queries.ts'
import { type AnalyticsSearch, measuredFilters } from '../analytics-search.ts'
import { GroupSection } from './group-section.tsx'
import { LatencyHeatmap } from './latency-heatmap.tsx'
import { MeasuredFilters } from './measured-filters.tsx'
import { MeasuredTotals } from './measured-totals.tsx'
import { PartCard } from './part-card.tsx'
import { SeriesCharts } from './series-charts.tsx'
import { StatusCard } from '../status-card.tsx'
import { type Brush, BrushMenu } from '../why/brush-menu.tsx'
import { ChangesPanel } from '../why/changes-panel.tsx'
import type { Comparison } from '../why/comparison.ts'
import { ErrorsCard } from '../why/errors-card.tsx'

type MeasuredViewProps = {
  search: AnalyticsSearch
  onChange: (change: Partial<AnalyticsSearch>) => void
  comparison: Comparison | null
  onCompare: (comparison: Comparison | null) => void
}

/** Exact numbers over every request that the filters match. */
export function MeasuredView(props: MeasuredViewProps) {
  const panel = useValuesPanel('analytics')
  const filters = measuredFilters(props.search)
  const errors = invalidFilters(filters)
  return (
    <div className="flex flex-col gap-6">
      <MeasuredFilters
        search={props.search}
        errors={errors}
        onChange={props.onChange}
        areValuesOpen={panel.isOpen}
        onValuesOpenChange={panel.setOpen}
      />
      <ValuesLayout
        panel={panel}
        values={<ValuesPanel search={filters} onChange={({ range: _range, ...next }) => props.onChange(next)} />}
      >
        {Object.keys(errors).length > 0 ? (
          <Panel>
            <EmptyState icon={ListFilter} title="These filters can’t be used">
              Correct the marked filters to see the numbers.
            </EmptyState>
          </Panel>
        ) : (
          <MeasuredNumbers {...props} />
        )}
      </ValuesLayout>
    </div>
  )
}

function MeasuredNumbers({ search, onChange, comparison, onCompare }: MeasuredViewProps) {
  const { compare = false, groupBy } = search
  const filters = measuredFilters(search)
  const [brush, setBrush] = useState<Brush | null>(null)
  const query = useQuery(analyticsQuery(filters))
  const zone = useTimeZone()
  const { data } = query
  if (!data) return <AnalyticsPlaceholder query={query} errorTitle="The analytics could not be loaded" />
  const empty =
    data.totals.requests === 0
      ? `No requests between ${formatTime('minute', data.from, zone)} and ${formatTime('minute', data.to, zone)}.`
      : undefined
  const props = { data, filters, empty }
  const barProps = { bars: search.bars, onBarsChange: (bars: AnalyticsSearch['bars']) => onChange({ bars }) }
  return (
    <div className={query.isPlaceholderData ? 'flex flex-col gap-6 opacity-60' : 'flex flex-col gap-6'}>
      {data.from <= data.availableFrom && (
        <Notice>
          Requests before {formatTime('minute', data.availableFrom, zone)} are not kept any more
          {data.source === 'rows' && ' for these filters'}.
        </Notice>
      )}
      {data.from < data.timesAvailableFrom && (
        <Notice>
          With these filters, percentiles and the heatmap know no requests before{' '}
          {formatTime('minute', data.timesAvailableFrom, zone)}.
        </Notice>
      )}
      <MeasuredTotals data={data} filters={filters} />
      {comparison && <ChangesPanel comparison={comparison} filters={filters} onChange={onCompare} />}
      {groupBy ? (
        <GroupSection filters={filters} groupBy={groupBy} empty={empty} onBrush={setBrush} />
      ) : (
        <SeriesCharts {...props} compare={compare} onBrush={setBrush} />
      )}
      {brush && (
        <BrushMenu
          brush={brush}
          onZoom={() => onChange({ from: brush.from, to: brush.to })}
          onCompare={() =>
            onCompare({
              from: brush.from,
              to: brush.to,
              measure: brush.measure,
              against: comparison?.against ?? 'equal',
            })
          }
          onClose={() => setBrush(null)}
        />
      )}
      <LatencyHeatmap {...props} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <PartCard {...props} {...barProps} title="Models" part="models" />
        <PartCard {...props} {...barProps} title="Endpoints" part="routes" />
        <PartCard {...props} {...barProps} title="Secure tokens" part="tokens" />
        <PartCard {...props} {...barProps} title="API keys" part="keys" />
      </div>
      <ErrorsCard filters={filters} />
      <StatusCard
        counts={data.statuses.map(({ value, requests }) => ({ key: Number(value ?? 0), count: requests }))}
        total={data.totals.requests}
        empty={empty}
        filters={filters}
        period={{ from: data.from, to: data.to }}
      />
    </div>
  )
}
