import { DataContext } from '@visx/xychart'
import { useContext } from 'react'
import { chartColours } from './chart-colours.ts'
import type { ChartSeries } from './line-chart.tsx'
import { positionOn } from './position-on.ts'
import { spreadLabels } from './spread-labels.ts'

type SeriesLabelsProps = { series: readonly ChartSeries[] }

/** The name of each series where it ends: nothing to look up in a legend. */
export function SeriesLabels({ series }: SeriesLabelsProps) {
  const { yScale, innerHeight, innerWidth, margin } = useContext(DataContext)
  if (!yScale || !margin || innerHeight === undefined || innerWidth === undefined) return null
  const ends = series.map(({ values }) => {
    const last = values.findLast((value) => value !== null) ?? 0
    return positionOn(yScale, last)
  })
  const places = spreadLabels(ends, 14, innerHeight + margin.top)
  return (
    <g aria-hidden="true" fontSize={11} fontWeight={500}>
      {series.map(({ key, label, colour }, index) => (
        <text
          key={key}
          x={margin.left + innerWidth + 8}
          y={places[index]}
          dy="0.33em"
          fill={colour === 'muted' || colour.startsWith('accent-') ? 'var(--muted)' : chartColours[colour]}
        >
          {label}
        </text>
      ))}
    </g>
  )
}
