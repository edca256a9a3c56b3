import { DataContext } from '@visx/xychart'
import { useContext } from 'react'
import { chartColours } from './chart-colours.ts'
import type { ChartSeries } from './line-chart.tsx'
import { positionOn, spreadLabels } from './axis-labels.ts'

/** The label of each series at the end of its line, instead of a legend. */
export function SeriesLabels({ series }: { series: readonly ChartSeries[] }) {
  const { yScale, innerHeight, innerWidth, margin } = useContext(DataContext)
  if (!yScale || !margin || innerHeight === undefined || innerWidth === undefined) return null
  const ends = series.map(({ values }) => positionOn(yScale, values.findLast((value) => value !== null) ?? 0))
  const places = spreadLabels(ends, 14, innerHeight + margin.top)
  return (
    <g aria-hidden="true" fontSize={11} fontWeight={500}>
      {series.map(({ key, label, colour }, index) => (
        <text
          key={key}
          x={margin.left + innerWidth + 8}
          y={places[index]}
          dy="0.33em"
          fill={colour === 'muted' || colour.startsWith('accent-') ? 'var(--color-muted)' : chartColours[colour]}
        >
          {label}
        </text>
      ))}
    </g>
  )
}
