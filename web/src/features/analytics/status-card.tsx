import { ChartCard } from '#web/charts/chart-card.tsx'
import { PieChart } from '#web/charts/pie-chart.tsx'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import type { Count } from './estimated/estimate-series.ts'
import { statusSlices, statusText } from './status-slices.ts'
import { type LogFilter, useOpenLogs } from './use-open-logs.ts'

type StatusCardProps = {
  counts: readonly Count<number>[]
  total: number
  empty: string | undefined
  /** The period in the request logs. */
  period: LogFilter
}

export function StatusCard({ counts, total, empty, period }: StatusCardProps) {
  const openLogs = useOpenLogs()
  const open = (statusCode: number) => openLogs({ ...period, statusCode })
  return (
    <ChartCard
      title="Status codes"
      empty={empty}
      table={{
        caption: 'Status codes',
        heads: ['Status', 'Requests', 'Share'],
        rows: counts.map(({ key, count }) => ({
          key: String(key),
          cells: [statusText(key), formatCount(count), formatPercent((count / Math.max(1, total)) * 100)],
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
