import { useState } from 'react'
import { BarChart } from '#web/charts/bar-chart.tsx'
import { ChartCard } from '#web/charts/chart-card.tsx'
import type { AnalyticsPart } from '#schemas/analytics.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatCount, formatMs, formatNanoUsd } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import type { MeasuredProps } from './measured-props.ts'
import { useOpenLogs } from '../use-open-logs.ts'

type PartName = 'models' | 'routes' | 'tokens' | 'keys'
type PartCardProps = MeasuredProps & { title: string; part: PartName }

const tokensOf = ({ promptTokens, completionTokens }: AnalyticsPart) => promptTokens + completionTokens

const units = {
  requests: { label: 'Requests', of: ({ requests }: AnalyticsPart) => requests, show: formatCount },
  tokens: { label: 'Tokens', of: tokensOf, show: formatCount },
  cost: { label: 'Cost', of: ({ costNanoUsd }: AnalyticsPart) => costNanoUsd, show: formatNanoUsd },
}

const unitNames = ['requests', 'tokens', 'cost'] as const

/** Never more than six. Source: product.md 9.11. */
const mostBars = 6

const noneNames = { models: 'No model', routes: 'Unknown', tokens: 'No token', keys: 'No key' } satisfies Record<
  PartName,
  string
>

/** Where the requests went to or came from, by one property of them. */
export function PartCard({ data, empty, title, part }: PartCardProps) {
  const [unit, setUnit] = useState<(typeof unitNames)[number]>('requests')
  const credentials = useCredentialNames()
  const openLogs = useOpenLogs()
  const { of, show } = units[unit]
  const items = data[part].toSorted((a, b) => of(b) - of(a))
  const range = { from: data.from, to: data.to }

  function nameOf({ value }: AnalyticsPart) {
    if (value === null) return noneNames[part]
    return visibleLine(part === 'tokens' || part === 'keys' ? credentialName(credentials[part], value) : value)
  }

  function open(value: string | null) {
    if (part === 'models') openLogs({ ...range, ...(value !== null && { model: value }) })
    else if (part === 'routes') openLogs({ ...range, ...(value !== null && { endpoint: value }) })
    else openLogs({ ...range, [part === 'tokens' ? 'token' : 'key']: value ?? 'none' })
  }

  return (
    <ChartCard
      title={title}
      empty={empty}
      tools={
        <Segmented
          label={`${title} by`}
          value={unit}
          onValueChange={setUnit}
          options={unitNames.map((value) => ({ value, label: units[value].label }))}
        />
      }
      table={{
        caption: title,
        heads: [title, 'Requests', 'Errors', 'p95', 'Tokens', 'Cost'],
        rows: items.map((item) => ({
          key: item.value ?? '',
          cells: [
            nameOf(item),
            formatCount(item.requests),
            formatCount(item.errors),
            item.p95 === null ? '–' : formatMs(item.p95),
            formatCount(tokensOf(item)),
            formatNanoUsd(item.costNanoUsd),
          ],
          onOpen: () => open(item.value),
        })),
      }}
    >
      <BarChart
        bars={items.slice(0, mostBars).map((item) => ({
          key: item.value ?? '',
          label: nameOf(item),
          value: of(item),
          text: show(of(item)),
        }))}
        onPick={({ key }) => open(key === '' ? null : key)}
      />
    </ChartCard>
  )
}
