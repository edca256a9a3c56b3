import { BarChart } from '#web/charts/bar-chart.tsx'
import { ChartCard } from '#web/charts/chart-card.tsx'
import type { AnalyticsPart } from '#schemas/analytics.ts'
import { formatNanoUsdColumn } from '#schemas/cost-text.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatCount, formatKnown, formatMs } from '#web/lib/text/format.ts'
import { alertDraft } from '#web/lib/log-filters/alert-draft.ts'
import { valueFilter } from '#web/lib/log-filters/filter-values.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { type AnalyticsSearch, barUnits } from '../analytics-search.ts'
import type { MeasuredProps } from './measured-props.ts'
import { otherValues, type PartNumbers } from './other-values.ts'
import { useOpenLogs } from '../use-open-logs.ts'

type PartCardProps = MeasuredProps & {
  title: string
  part: keyof typeof missingLabels
  bars: AnalyticsSearch['bars']
  onBarsChange: (bars: AnalyticsSearch['bars']) => void
}

const tokensOf = ({ promptTokens, completionTokens }: PartNumbers) => promptTokens + completionTokens

type Unit = { label: string; of: (item: AnalyticsPart) => number | null; format: (value: number) => string }

const units = {
  requests: { label: 'Requests', of: ({ requests }: AnalyticsPart) => requests, format: formatCount },
  tokens: { label: 'Tokens', of: tokensOf, format: formatCount },
  cost: { label: 'Cost', of: ({ costNanoUsd }: AnalyticsPart) => costNanoUsd, format: formatNanoUsdColumn },
} satisfies Record<(typeof barUnits)[number], Unit>

/** Source: product.md 9.11. */
const maxBars = 6

const partFields = { models: 'model', routes: 'endpoint', tokens: 'token', keys: 'key' } as const
const missingLabels = { models: 'No model', routes: 'Unknown', tokens: 'No token', keys: 'No key' }

/** The requests broken down by one of their properties. */
export function PartCard({ data, filters, empty, title, part, bars, onBarsChange }: PartCardProps) {
  const unit = bars?.[part] ?? 'requests'
  const credentials = useCredentialNames(part === 'tokens' ? data.tokens.map(({ value }) => value) : [])
  const openLogs = useOpenLogs(filters)
  const { of, format }: Unit = units[unit]
  // Unknown values come last.
  const items = data[part].toSorted((a, b) => (of(b) ?? -1) - (of(a) ?? -1))
  const others = otherValues(data.totals, items)
  const range = { from: data.from, to: data.to }

  function nameOf({ value }: AnalyticsPart) {
    if (value === null) return missingLabels[part]
    return visibleLine(part === 'tokens' || part === 'keys' ? credentialName(credentials[part], value) : value)
  }

  function open(value: string | null) {
    openLogs({ ...range, ...valueFilter(partFields[part], value) })
  }

  return (
    <ChartCard
      title={title}
      alertDraft={alertDraft(unit === 'requests' ? 'requests' : 'cost', filters, partFields[part])}
      empty={empty}
      tools={
        <Segmented
          label={`${title} by`}
          value={unit}
          onValueChange={(next) => onBarsChange({ ...bars, [part]: next })}
          options={barUnits.map((value) => ({ value, label: units[value].label }))}
        />
      }
      table={{
        heads: [title, 'Requests', 'Errors', 'p95', 'Tokens', 'Cost', 'Without a known cost'],
        rows: [
          ...items.map((item, index) => ({
            key: String(index),
            ...rowOf(nameOf(item), item),
            onOpen: () => open(item.value),
          })),
          ...(others ? [{ key: 'others', ...rowOf('Others', others) }] : []),
        ],
      }}
    >
      <BarChart
        bars={items.slice(0, maxBars).map((item) => ({
          key: item.value ?? '',
          label: nameOf(item),
          value: of(item),
          text: formatKnown(of(item), format),
        }))}
        onPick={({ key }) => open(key === '' ? null : key)}
      />
    </ChartCard>
  )
}

/** A row of the table, as shown and as exported. */
const rowOf = (name: string, item: PartNumbers) => ({
  cells: [
    name,
    formatCount(item.requests),
    formatCount(item.errors),
    formatKnown(item.p95, formatMs),
    formatCount(tokensOf(item)),
    formatKnown(item.costNanoUsd, formatNanoUsdColumn),
    formatCount(item.unpricedRequests),
  ],
  values: [
    name,
    item.requests,
    item.errors,
    item.p95,
    tokensOf(item),
    item.costNanoUsd === null ? null : item.costNanoUsd / 1e9,
    item.unpricedRequests,
  ],
})
