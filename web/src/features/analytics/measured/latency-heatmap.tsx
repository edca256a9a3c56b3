import { ChartCard } from '#web/charts/chart-card.tsx'
import { Heatmap } from '#web/charts/heatmap.tsx'
import { formatCount, formatCounted } from '#web/lib/text/format.ts'
import { alertDraft } from '#web/lib/log-filters/alert-draft.ts'
import type { MeasuredProps } from './measured-props.ts'
import { bandFilter } from './band-filter.ts'
import { fillSteps, stepRange } from '../period/step-times.ts'
import { useTimeAxis } from '../period/use-time-axis.ts'
import { useOpenLogs } from '../use-open-logs.ts'

const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const seconds = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${short.format(ms / 1_000)} s`)

/** Each band ends at its own bound; the last one is open-ended. */
const bandNames = (bounds: readonly number[]) => [
  ...bounds.map((bound) => `< ${seconds(bound)}`),
  `≥ ${seconds(bounds.at(-1) ?? 0)}`,
]

export function LatencyHeatmap({ data, filters, empty }: MeasuredProps) {
  const openLogs = useOpenLogs(filters)
  const { bounds } = data.heatmap
  const columns = data.heatmap.at.map((at, index) => ({ at, counts: data.heatmap.counts[index] ?? [] }))
  const steps = fillSteps(columns, data)
  const xs = steps.map(({ at }) => at)
  const counts = steps.map(({ item }) => item?.counts ?? [])
  const bands = bandNames(bounds)
  const { formatExactX: exact, ...axis } = useTimeAxis(data, xs)

  return (
    <ChartCard
      title="Response times"
      description="Requests by how long they took; the more, the stronger the colour"
      alertDraft={alertDraft('p95', filters)}
      empty={empty}
      table={{
        caption: 'Requests by response time',
        heads: ['Time', ...bands],
        rows: xs.map((x, index) => ({
          key: String(x),
          values: [new Date(x).toISOString(), ...bands.map((_, band) => counts[index]?.[band] ?? 0)],
          cells: [exact(x), ...bands.map((_, band) => formatCount(counts[index]?.[band] ?? 0))],
          onOpen: () => openLogs(stepRange(x, data)),
        })),
      }}
    >
      <Heatmap
        xs={xs}
        rows={bands}
        counts={counts}
        {...axis}
        describe={(x, band, count) => `${exact(x)}, ${bands[band]}: ${formatCounted(count, 'request')}`}
        onPick={(x, band) => openLogs({ ...stepRange(x, data), ...bandFilter(bounds, band, filters) })}
      />
    </ChartCard>
  )
}
