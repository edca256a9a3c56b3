import { useQuery } from '@tanstack/react-query'
import type { Analytics } from '#schemas/analytics.ts'
import { analyticsQuery } from '../analytics-queries.ts'
import { rangeBefore } from './previous-period.ts'

/** What was measured in the period before, once it is there; asked for only when it is wanted. */
export function usePreviousPeriod(data: Analytics, isWanted: boolean): Analytics | undefined {
  const before = useQuery({ ...analyticsQuery(rangeBefore(data)), enabled: isWanted })
  return isWanted && !before.isPlaceholderData ? before.data : undefined
}
