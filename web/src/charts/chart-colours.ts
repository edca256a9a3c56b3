/** The accent is for the main series, red for errors only. Source: product.md 9.11. */
export const chartColours = {
  accent: 'var(--color-accent-fill)',
  'accent-2': 'color-mix(in srgb, var(--color-accent-fill) 70%, var(--color-surface))',
  'accent-3': 'color-mix(in srgb, var(--color-accent-fill) 45%, var(--color-surface))',
  muted: 'var(--color-control)',
  ok: 'var(--color-ok)',
  info: 'var(--color-info)',
  warn: 'var(--color-warn)',
  danger: 'var(--color-danger)',
} as const

export type ChartColour = keyof typeof chartColours
