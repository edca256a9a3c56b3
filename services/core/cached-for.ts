/**
 * Shares a read between all calls during it and for a while afterwards.
 * @param now ms
 */
export function cachedFor<Result>(
  keptMs: number,
  read: () => Promise<Result>,
  now: () => number = () => performance.now(),
): () => Promise<Result> {
  let reading: Promise<Result> | undefined
  let freshUntil = 0
  return () => {
    if (!reading || now() >= freshUntil) {
      freshUntil = Number.POSITIVE_INFINITY
      reading = read().finally(() => (freshUntil = now() + keptMs))
    }
    return reading
  }
}
