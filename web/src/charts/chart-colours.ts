/** The accent is for the main series, red for errors only. Source: product.md 9.11. */
export const chartColours = {
  accent: 'var(--accent-fill)',
  'accent-2': 'color-mix(in srgb, var(--accent-fill) 70%, var(--surface))',
  'accent-3': 'color-mix(in srgb, var(--accent-fill) 45%, var(--surface))',
  muted: 'var(--control)',
  ok: 'var(--ok)',
  info: 'var(--info)',
  warn: 'var(--warn)',
  danger: 'var(--danger)',
} as const

export type ChartColour = keyof typeof chartColours
