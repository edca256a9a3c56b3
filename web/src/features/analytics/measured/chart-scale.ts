import type { AlertMeasure } from '#schemas/alerts.ts'
import { formatNanoUsdColumn } from '#schemas/cost-text.ts'
import { axisCount, axisMs, axisUsd } from '#web/charts/axis-labels.ts'
import { formatCount, formatMs } from '#web/lib/text/format.ts'
import type { Brush } from '../why/brush-menu.tsx'

/** How the values of a chart are shown, exported and compared. */
export interface ChartScale {
  /** Value of a step without requests. */
  idle: 0 | null
  axis: (value: number) => string
  exact: (value: number) => string
  /** Converts a value for export; by default, it stays the same. */
  inFile?: (value: number) => number
  /** The measure of an alert that is created from this chart: the one closest to what is shown. */
  alert: AlertMeasure
  /** The measure by which a brushed range is compared with the time before. */
  measure: Brush['measure']
}

export const countScale: ChartScale = {
  idle: 0,
  axis: axisCount,
  exact: formatCount,
  alert: 'requests',
  measure: 'requests',
}
export const timeScale: ChartScale = { idle: null, axis: axisMs, exact: formatMs, alert: 'p95', measure: 'slow' }
export const costScale: ChartScale = {
  idle: 0,
  axis: axisUsd,
  exact: formatNanoUsdColumn,
  inFile: (nanoUsd) => nanoUsd / 1e9,
  alert: 'cost',
  measure: 'cost',
}
