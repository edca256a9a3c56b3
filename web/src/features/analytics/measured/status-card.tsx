import { ChartCard } from '#web/charts/chart-card.tsx'
import { PieChart } from '#web/charts/pie-chart.tsx'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import type { MeasuredProps } from './measured-props.ts'
import { statusSlices, statusText } from './status-slices.ts'
import { useOpenLogs } from './use-open-logs.ts'

export function StatusCard({ data, empty }: MeasuredProps) {
  const openLogs = useOpenLogs()
  const counts = data.statuses.map(({ value, requests }) => ({ key: Number(value ?? 0), count: requests }))
  const total = data.totals.requests
  const open = (statusCode: number) => openLogs({ from: data.from, to: data.to, statusCode })
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
