import { lazy, Suspense } from 'react'
import { IgnoredNotice } from '#web/ui/ignored-notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Select } from '#web/ui/select.tsx'
import { type AnalyticsSearch, changeAnalytics } from './analytics-search.ts'
import { LoadingAnalytics } from './loading-analytics.tsx'
import { rangeLabels, timeRanges } from './time-ranges.ts'

// Charts are the heaviest part of the web app; the frame of the screen does not wait for them.
const EstimatedView = lazy(async () => ({ default: (await import('./estimated-view.tsx')).EstimatedView }))

type AnalyticsScreenProps = { search: AnalyticsSearch; onSearch: (search: AnalyticsSearch) => void }

export function AnalyticsScreen({ search, onSearch }: AnalyticsScreenProps) {
  const { view = 'estimated', range = '7d', tab = 'usage' } = search
  const change = (next: Partial<AnalyticsSearch>) => onSearch(changeAnalytics(search, next))
  return (
    <>
      <PageHeader
        title="Analytics"
        description={
          view === 'estimated' ? 'Estimates from the latest 1,000 requests.' : 'Measured over every request.'
        }
        action={
          <div className="flex flex-wrap gap-2">
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
              aria-label="Time range"
              value={range}
              onValueChange={(next) => change({ range: next, from: undefined, to: undefined })}
              options={timeRanges.map((value) => ({ value, label: rangeLabels[value] }))}
              className="w-40"
            />
          </div>
        }
      />
      <IgnoredNotice names={search.ignored} onDismiss={() => change({})} />
      <Suspense fallback={<LoadingAnalytics />}>
        <EstimatedView range={range} tab={tab} onTab={(next) => change({ tab: next })} />
      </Suspense>
    </>
  )
}
