import { buildChartTheme } from '@visx/xychart'

const label = { fill: 'var(--muted)', fontFamily: 'inherit', fontSize: 11, fontWeight: 400, stroke: 'none' }

/** Colours are CSS variables, so that a change of the theme draws nothing anew. */
export const chartTheme = buildChartTheme({
  backgroundColor: 'transparent',
  colors: ['var(--accent-fill)'],
  gridColor: 'var(--line)',
  gridColorDark: 'var(--line)',
  svgLabelSmall: label,
  svgLabelBig: label,
  tickLength: 6,
})
