import { rangeLabels, type TimeRange } from '#web/lib/time-ranges.ts'

/** Why a chart has nothing to draw. */
export const noRequests = (range: TimeRange) =>
  `No requests in the range “${rangeLabels[range]}”. Choose a longer one, or send a request through the proxy.`
