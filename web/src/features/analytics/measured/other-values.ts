import { type AnalyticsPart, type Measures, partsListed } from '#schemas/analytics.ts'

export type PartNumbers = Pick<
  AnalyticsPart,
  'requests' | 'errors' | 'p95' | 'promptTokens' | 'completionTokens' | 'costNanoUsd' | 'unpricedRequests'
>

type Total = Exclude<keyof PartNumbers, 'p95'>

/** The requests whose values are not listed; `null` without any. */
export function otherValues(totals: Pick<Measures, Total>, parts: readonly PartNumbers[]): PartNumbers | null {
  const rest = (name: Total) => parts.reduce((left, part) => left - (part[name] ?? 0), totals[name] ?? 0)
  const [requests, unpricedRequests] = [rest('requests'), rest('unpricedRequests')]
  // A request may have been stored between the queries of the totals and of the parts.
  if (parts.length < partsListed || requests <= 0) return null
  return {
    requests,
    errors: rest('errors'),
    p95: null,
    promptTokens: rest('promptTokens'),
    completionTokens: rest('completionTokens'),
    costNanoUsd: requests === unpricedRequests ? null : rest('costNanoUsd'),
    unpricedRequests,
  }
}
