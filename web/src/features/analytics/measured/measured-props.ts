import type { Analytics } from '#schemas/analytics.ts'

/** `empty`: why there is nothing to draw; `undefined` when there is something. */
export type MeasuredProps = { data: Analytics; empty: string | undefined }
