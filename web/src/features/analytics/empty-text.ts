import { rangeLabels, type TimeRange } from '#web/lib/time-ranges.ts'

export const noRequests = (range: TimeRange) =>
  `No requests in the range “${rangeLabels[range]}”. Choose a longer one, or send a request through the proxy.`
