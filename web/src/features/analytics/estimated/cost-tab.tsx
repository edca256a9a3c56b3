import { BarChart } from '#web/charts/bar-chart.tsx'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { countRequests } from '#web/lib/queries/request-logs.ts'
import { formatCount, formatCounted } from '#web/lib/text/format.ts'
import { costByModel, estimatedCost, formatUsd, monthlyProjection } from './estimates.ts'
import type { EstimatedTabProps } from './usage-tab.tsx'
import { ValueList } from './value-list.tsx'

export function CostTab({ logs, range, empty }: EstimatedTabProps) {
  const models = costByModel(logs)
  const total = estimatedCost(logs)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <ChartCard
        title="Cost by model"
        description="Split 60%, 30% and 10%"
        empty={empty}
        table={{
          heads: ['Model', 'Requests', 'Cost'],
          rows: models.map(({ model, requests, cost }) => ({
            key: model,
            cells: [model, formatCount(requests), formatUsd(cost)],
            values: [model, requests, cost],
          })),
        }}
      >
        <BarChart
          bars={models.map(({ model, requests, cost }) => ({
            key: model,
            label: `${model}, ${formatCounted(requests, 'request')}`,
            value: cost,
            text: formatUsd(cost),
          }))}
        />
      </ChartCard>
      <ValueList
        title="Cost analysis"
        values={[
          { label: 'Total estimated cost', value: formatUsd(total) },
          {
            label: 'Average cost per request',
            value: logs.length === 0 ? '–' : formatUsd(total / countRequests(logs)),
          },
          { label: 'Monthly projection', value: formatUsd(monthlyProjection(total, range)), note: 'Scaled to 30 days' },
        ]}
      />
    </div>
  )
}
