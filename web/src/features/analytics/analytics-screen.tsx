import { lazyRouteComponent } from '@tanstack/react-router'
import { History, SearchCheck, ZoomOut } from 'lucide-react'
import { Suspense, useRef } from 'react'
import { day } from '#schemas/units.ts'
import { Button } from '#web/ui/button.tsx'
import { DateRange } from '#web/ui/date-range.tsx'
import { IgnoredNotice, MissingViewNotice } from '#web/ui/link-notices.tsx'
import { gatewayNow } from '#web/lib/browser/gateway-clock.ts'
import { formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { PrintHead } from '#web/ui/print-head.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Select } from '#web/ui/select.tsx'
import { ViewsMenu } from '#web/ui/views-menu.tsx'
import { type AnalyticsSearch, changeAnalytics, measuredRange, readAnalyticsSearch } from './analytics-search.ts'
import { latestStretch, readComparison, writeComparison } from './why/comparison.ts'
import { RefreshControls } from './refresh-controls.tsx'
import { LoadingAnalytics } from './analytics-placeholder.tsx'
import { rangeDays, rangeLabels, type TimeRange, timeRanges } from '#web/lib/time-ranges.ts'

const EstimatedView = lazyRouteComponent(() => import('./estimated/estimated-view.tsx'), 'EstimatedView')
const MeasuredView = lazyRouteComponent(() => import('./measured/measured-view.tsx'), 'MeasuredView')

/** Loads the charts of a view. The route awaits it, because React delays content after a Suspense fallback by 300 ms. */
export const preloadView = (view: NonNullable<AnalyticsSearch['view']>) =>
  (view === 'measured' ? MeasuredView : EstimatedView).preload?.()

const rangeOptions = timeRanges.map((value) => ({ value, label: rangeLabels[value] }))

type AnalyticsScreenProps = {
  search: AnalyticsSearch
  /** Writes the state of the screen to the URL. `update` gets the state of the URL, which may be newer than the drawn one. */
  onSearch: (update: (latest: AnalyticsSearch) => AnalyticsSearch) => void
}

/** Estimates by default, measured numbers as the other view. Source: product.md 11.1. */
export function AnalyticsScreen({ search, onSearch }: AnalyticsScreenProps) {
  const { view = 'estimated', range = '7d', tab = 'usage', compare = false } = search
  const zone = useTimeZone()
  const compareRef = useRef<HTMLButtonElement>(null)
  const rangeRef = useRef<HTMLSelectElement>(null)
  const isMeasured = view === 'measured'
  const measured = measuredRange(search)
  const custom = isMeasured && 'from' in measured ? measured : null
  const change = (next: Partial<AnalyticsSearch>) => onSearch((latest) => changeAnalytics(latest, next))

  const comparison = search.changed === undefined ? null : readComparison(search.changed)
  // Each of them may be valid by itself.
  const unreadable = (['changed', 'from', 'to'] as const).filter(
    (name) => search[name] !== undefined && (name === 'changed' ? !comparison : isMeasured && !custom),
  )
  function toggleComparison() {
    if (comparison) return change({ changed: undefined })
    const now = gatewayNow()
    const shown = custom
      ? { from: Date.parse(custom.from), to: Date.parse(custom.to) }
      : { from: now - rangeDays[range] * day, to: now }
    change({ changed: writeComparison(latestStretch(shown)) })
  }

  function chooseRange(value: TimeRange | 'custom') {
    if (value !== 'custom') return change({ range: value, from: undefined, to: undefined })
    const now = gatewayNow()
    change({ from: new Date(now - rangeDays[range] * day).toISOString(), to: new Date(now).toISOString() })
  }

  return (
    <>
      <PageHeader
        title="Analytics"
        description={isMeasured ? 'Measured over every request.' : 'Estimates from the latest 1,000 logs.'}
        action={
          <div className="flex flex-wrap items-center gap-2 [reading-flow:flex-visual]">
            <RefreshControls />
            {isMeasured && (
              <Button
                ref={compareRef}
                aria-pressed={comparison !== null}
                onClick={toggleComparison}
                className="aria-pressed:border-accent aria-pressed:bg-subtle max-md:order-last"
              >
                <SearchCheck />
                What changed?
              </Button>
            )}
            {isMeasured && !search.groupBy && (
              <Button
                aria-pressed={compare}
                onClick={() => change({ compare: !compare })}
                className="aria-pressed:border-accent aria-pressed:bg-subtle max-md:order-last"
              >
                <History />
                Previous period
              </Button>
            )}
            <Segmented
              label="How the numbers come about"
              value={view}
              onValueChange={(next) => change({ view: next })}
              options={[
                { value: 'estimated', label: 'Estimated' },
                { value: 'measured', label: 'Measured' },
              ]}
            />
            <Select
              ref={rangeRef}
              aria-label="Time range"
              value={custom ? 'custom' : range}
              onValueChange={chooseRange}
              options={isMeasured ? [...rangeOptions, { value: 'custom', label: 'Custom' } as const] : rangeOptions}
              className="w-40"
            />
            {isMeasured && (
              <ViewsMenu
                screen="analytics"
                search={changeAnalytics(search, {})}
                onOpenView={(kept) => onSearch(() => readAnalyticsSearch(kept))}
              />
            )}
          </div>
        }
      />
      <PrintHead>
        {custom
          ? `${formatTime('minute', custom.from, zone)} to ${formatTime('minute', custom.to, zone)}`
          : rangeLabels[range]}
      </PrintHead>
      <IgnoredNotice
        names={unreadable.length > 0 ? [...unreadable, ...(search.ignored ?? [])] : search.ignored}
        onDismiss={() => change(Object.fromEntries(unreadable.map((name) => [name, undefined])))}
      />
      <MissingViewNotice id={search.saved} onDismiss={() => change({})} />
      {custom && (
        <div className="flex flex-wrap items-start gap-3">
          <DateRange
            range={custom}
            isOpen={false}
            onChange={({ from, to }) => change({ from, to })}
            className="grid w-full gap-3 sm:w-116 sm:grid-cols-2"
          />
          <Button
            onClick={() => {
              rangeRef.current?.focus()
              change({ from: undefined, to: undefined })
            }}
            className="sm:mt-6.5"
          >
            <ZoomOut />
            Zoom out
          </Button>
        </div>
      )}
      <Suspense fallback={<LoadingAnalytics />}>
        {isMeasured ? (
          <MeasuredView
            search={search}
            onChange={change}
            comparison={comparison}
            onCompare={(next) => {
              if (!next) compareRef.current?.focus()
              change({ changed: next ? writeComparison(next) : undefined })
            }}
          />
        ) : (
          <EstimatedView range={range} tab={tab} onTab={(next) => change({ tab: next })} />
        )}
      </Suspense>
    </>
  )
}
