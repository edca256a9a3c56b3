import type { Analytics } from '#schemas/analytics.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

/** `empty`: text shown instead of the charts when there is no data; `filters`: apply to all numbers. */
export type MeasuredProps = { data: Analytics; filters: LogSearch; empty: string | undefined }
