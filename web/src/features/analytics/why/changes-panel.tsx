import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Changes } from '#schemas/analytics-changes.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { formatMs, formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateRange } from '#web/ui/date-range.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ChangeItem, formatAmount } from './change-item.tsx'
import type { Comparison } from './comparison.ts'
import { changesQuery } from '../analytics-queries.ts'

type ChangesPanelProps = {
  comparison: Comparison
  filters: LogSearch
  onChange: (comparison: Comparison | null) => void
}

const stretchLabels = { from: 'Changed from', to: 'Changed until' }

const measures = [
  { value: 'requests', label: 'Requests' },
  { value: 'errors', label: 'Errors' },
  { value: 'slow', label: 'Slow' },
  { value: 'cost', label: 'Cost' },
] as const

/** Shows what differs between a period and the time before it. Source: product.md 11.12. */
export function ChangesPanel({ comparison, filters, onChange }: ChangesPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <div ref={panel} tabIndex={-1} className="outline-none">
      <Card
        title="What changed?"
        action={<IconButton label="Close what changed" icon={<X />} onClick={() => onChange(null)} />}
      >
        <div className="flex flex-wrap items-end gap-3 border-b border-line p-4">
          <DateRange
            range={comparison}
            labels={stretchLabels}
            isOpen={false}
            onChange={({ from, to }) => from && to && onChange({ ...comparison, from, to })}
            className="grid w-full gap-3 sm:w-116 sm:grid-cols-2"
          />
          <Segmented
            label="What is compared"
            value={comparison.measure}
            onValueChange={(measure) => onChange({ ...comparison, measure })}
            options={measures}
          />
          <Select
            aria-label="Compared with"
            value={comparison.against}
            onValueChange={(against) => onChange({ ...comparison, against })}
            options={[
              { value: 'equal', label: 'Against as long before' },
              { value: 'day', label: 'Against the day before' },
            ]}
          />
        </div>
        <QueryView
          query={useQuery(changesQuery(comparison, filters))}
          skeleton={<Skeleton className="h-40" />}
          errorTitle="The changes could not be loaded"
        >
          {(changes) => <ChangeList changes={changes} filters={filters} />}
        </QueryView>
      </Card>
    </div>
  )
}

function ChangeList({ changes, filters }: { changes: Changes; filters: LogSearch }) {
  const zone = useTimeZone()
  const { measure, now, expected, slowAbove } = changes
  const what = {
    requests: 'requests',
    errors: 'errors',
    slow: slowAbove === null ? 'slow requests' : `requests over ${formatMs(slowAbove)}`,
    cost: 'of cost',
  }[measure]
  return (
    <>
      <p className="border-b border-line px-4 py-2 text-muted">
        {formatAmount(measure, now.amount)} {what}, {formatAmount(measure, expected)} expected from the time since{' '}
        {formatTime('minute', changes.beforeFrom, zone)}.
        {changes.from <= changes.availableFrom &&
          ` Requests before ${formatTime('minute', changes.availableFrom, zone)} are not kept any more.`}
      </p>
      {changes.changes.length === 0 ? (
        <p className="grid min-h-40 place-items-center px-4 text-center text-muted">
          {changes.before.requests === 0
            ? 'There were no requests before to compare with.'
            : 'Nothing differs by more than chance explains.'}
        </p>
      ) : (
        <ol aria-label="What differs most">
          {changes.changes.map((change) => (
            <ChangeItem
              key={`${change.dimension} ${change.tag} ${change.value}`}
              change={change}
              changes={changes}
              filters={filters}
            />
          ))}
        </ol>
      )}
    </>
  )
}
