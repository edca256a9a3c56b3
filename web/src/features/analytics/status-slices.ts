import type { ChartColour } from '#web/charts/chart-colours.ts'
import type { Slice } from '#web/charts/pie-chart.tsx'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import type { Count } from './estimated/estimate-series.ts'

/** Source: product.md 9.9. */
function statusColour(status: number): ChartColour {
  if (status >= 500 || status < 200) return 'danger'
  if (status >= 400) return 'warn'
  return status >= 300 ? 'info' : 'ok'
}

export const statusText = (status: number) => (status === 0 ? 'No answer' : String(status))

/** The five most frequent, and the others together: more than six can't be told apart. */
export function statusSlices(counts: readonly Count<number>[], total: number): Slice[] {
  const named = counts.length <= 6 ? counts : counts.slice(0, 5)
  const rest = counts.slice(named.length).reduce((sum, { count }) => sum + count, 0)
  const text = (count: number) => `${formatCount(count)} (${formatPercent((count / total) * 100)})`
  const slices = named.map(({ key, count }) => ({
    key: String(key),
    label: statusText(key),
    value: count,
    text: text(count),
    colour: statusColour(key),
  }))
  return rest === 0
    ? slices
    : [...slices, { key: 'other', label: 'Others', value: rest, text: text(rest), colour: 'muted' }]
}
