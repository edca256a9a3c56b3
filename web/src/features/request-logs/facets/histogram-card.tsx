import { useQuery } from '@tanstack/react-query'
import { day, hour } from '#schemas/units.ts'
import { BarHistogram } from '#web/charts/bar-histogram.tsx'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { formatCount, formatCounted, formatTime, type TimeStyle } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { alertDraft } from '#web/lib/log-filters/alert-draft.ts'
import { histogramQuery } from '#web/lib/log-filters/log-facet-queries.ts'

type HistogramCardProps = { search: LogSearch; onChange: (change: Partial<LogSearch>) => void }

const title = 'Requests over time'

/** Labels show only the day, or the minute, if no two of them fall on the same one: there are at most nine labels. */
function stylesOf(span: number): { axis: TimeStyle; exact: TimeStyle } {
  if (span > 9 * day) return { axis: 'shortDay', exact: 'minute' }
  if (span > 2 * day) return { axis: 'hour', exact: 'minute' }
  return { axis: span > hour ? 'minuteOfDay' : 'time', exact: 'second' }
}

/** Requests and errors of the filtered range; a selection narrows it. */
export function HistogramCard({ search, onChange }: HistogramCardProps) {
  const zone = useTimeZone()
  const query = useQuery(histogramQuery(search, zone))
  return (
    <QueryView query={query} skeleton={<Waiting />} errorTitle="The histogram could not be loaded">
      {({ steps, from, to }) => {
        const span = Date.parse(to) - Date.parse(from)
        const { axis, exact } = stylesOf(span)
        const endOf = (index: number) => steps[index + 1]?.at ?? to
        const time = (at: string, style = exact) => formatTime(style, at, zone)
        const sum = (first: number, last: number, field: 'requests' | 'errors') =>
          steps.slice(first, last + 1).reduce((total, step) => total + step[field], 0)
        return (
          <ChartCard
            title={title}
            description="Drag over it, or use the arrow keys, Shift and Enter, to narrow the range"
            isOperable
            alertDraft={alertDraft('requests', search)}
            empty={steps.length === 0 ? 'There is nothing in this range' : undefined}
            table={{
              heads: ['From', 'Requests', 'Errors'],
              rows: steps.map(({ at, requests, errors }, index) => ({
                key: at,
                cells: [time(at), formatCount(requests), formatCount(errors)],
                values: [at, requests, errors],
                onOpen: () => onChange({ range: undefined, from: at, to: endOf(index) }),
              })),
            }}
          >
            <BarHistogram
              label={title}
              bars={steps.map(({ at, requests, errors }) => ({ at: Date.parse(at), value: requests, errors }))}
              end={Date.parse(to)}
              formatX={(at) => formatTime(axis, at, zone)}
              describe={(first, last) =>
                `${time(steps[first]?.at ?? from)} to ${time(endOf(last))}: ` +
                `${formatCounted(sum(first, last, 'requests'), 'request')}, ${formatCounted(sum(first, last, 'errors'), 'error')}`
              }
              onBrush={(first, last) => onChange({ range: undefined, from: steps[first]?.at ?? from, to: endOf(last) })}
            />
          </ChartCard>
        )
      }}
    </QueryView>
  )
}

const Waiting = () => (
  <Card title={title}>
    <div className="p-4">
      <Skeleton className="h-23 w-full" />
    </div>
  </Card>
)
