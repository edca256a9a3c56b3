import { BarChart } from '#web/charts/bar-chart.tsx'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { formatCount } from '#web/lib/text/format.ts'
import { noRequests } from '../empty-text.ts'
import { costByModel, estimatedCost, monthlyProjection } from './estimates.ts'
import { formatUsd } from '../format-usd.ts'
import type { EstimatedTabProps } from './usage-tab.tsx'
import { ValueList } from './value-list.tsx'

export function CostTab({ logs, range }: EstimatedTabProps) {
  const models = costByModel(logs)
  const cost = estimatedCost(logs)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <ChartCard
        title="Cost by model"
        description="Split 60%, 30% and 10%"
        empty={logs.length === 0 ? noRequests(range) : undefined}
        table={{
          caption: 'Cost by model',
          heads: ['Model', 'Requests', 'Cost'],
          rows: models.map((one) => ({
            key: one.model,
            cells: [one.model, formatCount(one.requests), formatUsd(one.cost)],
          })),
        }}
      >
        <BarChart
          bars={models.map((one) => ({
            key: one.model,
            label: `${one.model}, ${formatCount(one.requests)} requests`,
            value: one.cost,
            text: formatUsd(one.cost),
          }))}
        />
      </ChartCard>
      <ValueList
        title="Cost analysis"
        values={[
          { label: 'Total estimated cost', value: formatUsd(cost) },
          { label: 'Average cost per request', value: formatUsd(logs.length === 0 ? 0 : cost / logs.length) },
          { label: 'Monthly projection', value: formatUsd(monthlyProjection(cost, range)), note: 'Scaled to 30 days' },
        ]}
      />
    </div>
  )
}
