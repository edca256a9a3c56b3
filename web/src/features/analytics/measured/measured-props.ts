import type { Analytics } from '#schemas/analytics.ts'

/** `empty`: text shown instead of the charts when there is no data. */
export type MeasuredProps = { data: Analytics; empty: string | undefined }
