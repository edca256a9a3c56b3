import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

/**
 * Filters for the requests in a band of the heatmap, within the screen's own filters.
 * @param bounds upper ends of the bands, ms; the last band has none
 */
export function bandFilter(bounds: readonly number[], band: number, { minTime = 0, maxTime }: LogSearch): LogSearch {
  const [from = 0, end = Infinity] = [bounds[band - 1], bounds[band]]
  const [least, most] = [Math.max(from, minTime), Math.min(end - 1, maxTime ?? Infinity)]
  return { ...(least > 0 && { minTime: least }), ...(most < Infinity && { maxTime: most }) }
}
