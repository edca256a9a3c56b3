const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 })

export const axisMs = (ms: number) => (ms < 1_000 ? `${short.format(ms)} ms` : `${short.format(ms / 1_000)} s`)

export const axisUsd = (nano: number) => `$${short.format(nano / 1e9)}`

/** Labels whole numbers only. */
export const axisCount = (count: number) => (Number.isInteger(count) ? short.format(count) : '')

/** Moves overlapping labels apart, keeping their order and staying within `height`. */
export function spreadLabels(positions: readonly number[], gap: number, height: number): number[] {
  const labels = positions.map((position, index) => ({ index, position })).toSorted((a, b) => a.position - b.position)
  let floor = -Infinity
  for (const label of labels) {
    label.position = Math.max(label.position, floor)
    floor = label.position + gap
  }
  // Labels pushed past the bottom are moved up again.
  let ceiling = height
  for (const label of labels.toReversed()) {
    label.position = Math.min(label.position, ceiling)
    ceiling = label.position - gap
  }
  return labels.toSorted((a, b) => a.index - b.index).map(({ position }) => position)
}

/** The top of an axis that begins at 0. */
export const highest = (series: readonly { values: readonly (number | null)[] }[]): number =>
  Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))) || 1

/** At most `count` of the values, evenly spaced and including the last one. */
export function xTicks(values: readonly number[], count: number): number[] {
  const step = Math.max(1, Math.ceil(values.length / count))
  return values.filter((_, index) => (values.length - 1 - index) % step === 0)
}

/** The labels that are at least `gap` before the next one. */
export const apartFromNext = <Label extends { x: number }>(labels: readonly Label[], gap: number): Label[] =>
  labels.filter(({ x }, at) => (labels[at + 1]?.x ?? Infinity) - x >= gap)

/** Position of a value on an xychart scale, px. The library's union of scale types accepts no common argument. */
export const positionOn = (scale: unknown, value: number) => (typeof scale === 'function' ? Number(scale(value)) : 0)
