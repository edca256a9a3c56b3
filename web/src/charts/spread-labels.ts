/** Moves labels apart that would cover each other, keeping their order and staying within `height`. */
export function spreadLabels(positions: readonly number[], gap: number, height: number): number[] {
  const labels = positions.map((position, index) => ({ index, position })).toSorted((a, b) => a.position - b.position)
  let floor = -Infinity
  for (const label of labels) {
    label.position = Math.max(label.position, floor)
    floor = label.position + gap
  }
  // What ran out at the bottom is pushed up again.
  let ceiling = height
  for (const label of labels.toReversed()) {
    label.position = Math.min(label.position, ceiling)
    ceiling = label.position - gap
  }
  return labels.toSorted((a, b) => a.index - b.index).map(({ position }) => position)
}
