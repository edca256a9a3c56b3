/** At most `count` of the values, evenly spread, the last one among them. */
export function xTicks(values: readonly number[], count: number): number[] {
  const step = Math.max(1, Math.ceil(values.length / count))
  return values.filter((_, index) => (values.length - 1 - index) % step === 0)
}
