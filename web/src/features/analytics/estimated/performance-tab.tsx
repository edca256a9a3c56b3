import { ChartCard } from '#web/charts/chart-card.tsx'
import { LineChart } from '#web/charts/line-chart.tsx'
import { formatMs, formatPercent } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { axisMs } from '#web/charts/axis-labels.ts'
import { hourlyTimes } from './estimate-series.ts'
import { averageTime, p95, successRate, throughput, uptimeLabel } from './estimates.ts'
import type { EstimatedTabProps } from './usage-tab.tsx'
import { ValueList } from './value-list.tsx'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

export function PerformanceTab({ logs, empty }: EstimatedTabProps) {
  const zone = useTimeZone()
  const times = hourlyTimes(logs, zone)
  const rate = successRate(logs)
  const known = (value: string) => (logs.length === 0 ? '–' : value)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-3">
      <ChartCard
        title="Average response time by hour of day"
        description={`Hours in ${zone}`}
        className="lg:col-span-2"
        empty={empty}
        table={{
          heads: ['Hour', 'Average, ms'],
          rows: hours.map((hour) => {
            const time = times[hour] ?? null
            const whole = time === null ? null : Math.round(time)
            return { key: String(hour), cells: [hourText(hour), whole ?? '–'], values: [hourText(hour), whole] }
          }),
        }}
      >
        <LineChart
          xs={hours}
          ticks={[0, 6, 12, 18]}
          series={[{ key: 'time', label: 'Average', colour: 'accent', values: times }]}
          formatX={hourText}
          formatY={axisMs}
          formatExactY={formatMs}
          height={264}
        />
      </ChartCard>
      <ValueList
        title="Performance metrics"
        values={[
          { label: 'Average response time', value: known(formatMs(averageTime(logs))) },
          { label: 'P95 response time', value: known(formatMs(p95(logs))), note: '1.5 times the average' },
          { label: 'Success rate', value: known(formatPercent(rate)) },
          { label: 'Uptime', value: known(uptimeLabel(rate)) },
          { label: 'Throughput', value: `${throughput(logs).toFixed(1)}/day`, note: 'Requests divided by 7' },
        ]}
      />
    </div>
  )
}
