/** Moves labels apart that would cover each other, keeping their order and staying within `height`. */
export function spreadLabels(positions: readonly number[], gap: number, height: number): number[] {
  const order = positions.map((_, index) => index).toSorted((a, b) => positions[a]! - positions[b]!)
  const spread = [...positions]
  let floor = -Infinity
  for (const index of order) {
    spread[index] = Math.max(spread[index]!, floor)
    floor = spread[index] + gap
  }
  // What ran out at the bottom is pushed up again.
  let ceiling = height
  for (const index of order.toReversed()) {
    spread[index] = Math.min(spread[index]!, ceiling)
    ceiling = spread[index] - gap
  }
  return spread
}
