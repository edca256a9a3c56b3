import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { countRequests } from '#web/lib/queries/request-logs.ts'
import { rangeDays, type TimeRange } from '#web/lib/time-ranges.ts'

/** `responseTime` is the average of the log's requests. */
export type EstimateLog = Pick<
  RequestLogSummary,
  'createdAt' | 'endpoint' | 'requestCount' | 'responseStatus' | 'responseTime'
>

// Costs are summed as integers in units of $0.0001, to avoid rounding errors.
const unitsPerUsd = 10_000

/** Ten-thousandths of a dollar. Source: product.md 11.3. */
function costUnits(endpoint: string): number {
  if (isChat(endpoint)) return 20
  if (endpoint.includes('/embeddings')) return 1
  if (endpoint.includes('/images')) return 200
  return 10
}

const isChat = (endpoint: string) => endpoint.includes('/chat/completions')

/** Status 0 means that no response reached the client. Source: product.md 7.6. */
export const isSuccess = (log: EstimateLog) => log.responseStatus > 0 && log.responseStatus < 400

const usd = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
  maximumFractionDigits: 4,
})

/** USD with 4 decimals. Source: product.md 11.3. */
export const formatUsd = (value: number) => usd.format(value)

const sumOfUnits = (logs: readonly EstimateLog[]) =>
  logs.reduce((sum, log) => sum + costUnits(log.endpoint) * log.requestCount, 0)

/** USD. */
export const estimatedCost = (logs: readonly EstimateLog[]) => sumOfUnits(logs) / unitsPerUsd

/** Percent, 0 to 100; 0 without requests. */
export const successRate = (logs: readonly EstimateLog[]) =>
  logs.length === 0 ? 0 : (countRequests(logs.filter(isSuccess)) / countRequests(logs)) * 100

/** ms; 0 without requests. */
export const averageTime = (logs: readonly EstimateLog[]) =>
  logs.length === 0 ? 0 : logs.reduce((sum, log) => sum + log.responseTime * log.requestCount, 0) / countRequests(logs)

/** Source: product.md 11.5. */
export const p95 = (logs: readonly EstimateLog[]) => averageTime(logs) * 1.5

/** Source: product.md 11.6. */
export const uptimeLabel = (rate: number) => (rate > 95 ? '99.9%' : '99.5%')

/** Requests a day, whatever the range. Source: product.md 11.7. */
export const throughput = (logs: readonly EstimateLog[]) => countRequests(logs) / 7

/** USD for 30 days; the 30-day and the 90-day range are both divided by 30. Source: product.md 11.8. */
export const monthlyProjection = (cost: number, range: TimeRange) => (cost / Math.min(rangeDays[range], 30)) * 30

const modelSplit = [
  { model: 'gpt-4o', share: 6 },
  { model: 'gpt-3.5-turbo', share: 3 },
  { model: 'Other models', share: 1 },
]

/** Splits the cost and the chat requests by fixed shares; cost in USD. Source: product.md 11.4. */
export function costByModel(logs: readonly EstimateLog[]) {
  const units = sumOfUnits(logs)
  const chats = countRequests(logs.filter((log) => isChat(log.endpoint)))
  return modelSplit.map(({ model, share }) => ({
    model,
    requests: Math.round((chats * share) / 10),
    cost: (units * share) / 10 / unitsPerUsd,
  }))
}
