import { useQuery } from '@tanstack/react-query'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import { MetricStrip, WithUnit } from '#web/ui/metric-strip.tsx'
import { ControlledTabs } from '#web/ui/controlled-tabs.tsx'
import { TabPanel } from '#web/ui/tabs.tsx'
import { countRequests, estimateLimit, estimateLogsQuery } from '#web/lib/queries/request-logs.ts'
import { rangeStatsQuery } from '#web/lib/queries/stats.ts'
import { AnalyticsPlaceholder } from '../analytics-placeholder.tsx'
import { type EstimatedTab, estimatedTabs } from '../analytics-search.ts'
import { CostTab } from './cost-tab.tsx'
import { ErrorsTab } from './errors-tab.tsx'
import { averageTime, estimatedCost, formatUsd, successRate } from './estimates.ts'
import { PerformanceTab } from './performance-tab.tsx'
import { rangeLabels, type TimeRange } from '#web/lib/time-ranges.ts'
import { UsageTab } from './usage-tab.tsx'

type EstimatedViewProps = { range: TimeRange; tab: EstimatedTab; onTab: (tab: EstimatedTab) => void }

/** Estimates from the latest logs. Source: product.md 11.2. */
export function EstimatedView({ range, tab, onTab }: EstimatedViewProps) {
  const query = useQuery(estimateLogsQuery(range))
  const stats = useQuery(rangeStatsQuery(range))
  if (!query.data) return <AnalyticsPlaceholder query={query} errorTitle="The analytics could not be loaded" />
  const { logs, readAt } = query.data
  const counted = countRequests(logs)
  const total = stats.data?.totalRequests ?? counted
  const isPartial = logs.length >= estimateLimit && total > counted
  const empty =
    logs.length === 0
      ? `No requests in the range “${rangeLabels[range]}”. Choose a longer one, or send a request through the proxy.`
      : undefined
  const oldest = isPartial ? logs.at(-1) : undefined
  const period = oldest ? { from: oldest.createdAt } : { range }
  const props = { logs, readAt, range, period, isPartial, empty }
  return (
    <div className={query.isPlaceholderData ? 'flex flex-col gap-6 opacity-60' : 'flex flex-col gap-6'}>
      <MetricStrip
        label="Summary"
        metrics={[
          {
            label: 'Total Requests',
            value: formatCount(counted),
            note: isPartial ? `The latest of ${formatCount(total)}` : rangeLabels[range],
          },
          {
            label: 'Success Rate',
            value: logs.length === 0 ? '–' : formatPercent(successRate(logs)),
            note: 'Status below 400',
          },
          {
            label: 'Avg Response Time',
            value: logs.length === 0 ? '–' : <WithUnit value={formatCount(Math.round(averageTime(logs)))} unit=" ms" />,
            note: 'To the last byte',
          },
          { label: 'Estimated Cost', value: formatUsd(estimatedCost(logs)), note: 'By kind of request' },
        ]}
      />
      <ControlledTabs label="Parts of the analytics" value={tab} onValueChange={onTab} options={estimatedTabs}>
        <TabPanel value="usage">
          <UsageTab {...props} />
        </TabPanel>
        <TabPanel value="performance">
          <PerformanceTab {...props} />
        </TabPanel>
        <TabPanel value="errors">
          <ErrorsTab {...props} />
        </TabPanel>
        <TabPanel value="cost">
          <CostTab {...props} />
        </TabPanel>
      </ControlledTabs>
    </div>
  )
}
