import { ChartCard } from '#web/charts/chart-card.tsx'
import { PieChart, type Slice } from '#web/charts/pie-chart.tsx'
import { alertDraft } from '#web/lib/log-filters/alert-draft.ts'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import { statusTone } from '#web/ui/status-badge.tsx'
import type { Count } from './estimated/estimate-series.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { useOpenLogs } from './use-open-logs.ts'

type StatusCardProps = {
  counts: readonly Count<number>[]
  total: number
  empty: string | undefined
  /** The time of the requests, as filters. */
  period: LogSearch
  /** For measured numbers only. */
  filters?: LogSearch
}

export function StatusCard({ counts, total, empty, period, filters }: StatusCardProps) {
  const openLogs = useOpenLogs(filters)
  const open = (statusCode: number) => openLogs({ ...period, statusCode })
  return (
    <ChartCard
      title="Status codes"
      alertDraft={filters && alertDraft('errorRate', filters)}
      empty={empty}
      table={{
        heads: ['Status', 'Requests', 'Share'],
        rows: counts.map(({ key, count }) => ({
          key: String(key),
          cells: [statusText(key), formatCount(count), formatPercent((count / Math.max(1, total)) * 100)],
          values: [key, count, count / Math.max(1, total)],
          onOpen: () => open(key),
        })),
      }}
    >
      <PieChart
        slices={statusSlices(counts, total)}
        total={formatCount(total)}
        onPick={({ key }) => key !== 'other' && open(Number(key))}
      />
    </ChartCard>
  )
}

const statusText = (status: number) => (status === 0 ? 'No response' : String(status))

/** The five most frequent statuses and the rest as one slice: more than six colours are hard to distinguish. */
function statusSlices(counts: readonly Count<number>[], total: number): Slice[] {
  const named = counts.length <= 6 ? counts : counts.slice(0, 5)
  const rest = counts.slice(named.length).reduce((sum, { count }) => sum + count, 0)
  const text = (count: number) => `${formatCount(count)} (${formatPercent((count / total) * 100)})`
  const slices = named.map(({ key, count }) => ({
    key: String(key),
    label: statusText(key),
    value: count,
    text: text(count),
    colour: statusTone(key),
  }))
  return rest === 0
    ? slices
    : [...slices, { key: 'other', label: 'Others', value: rest, text: text(rest), colour: 'muted' }]
}
