import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { Stats } from '#schemas/analytics.ts'
import { fetchJson } from '#web/lib/api.ts'

/** Source: specification §9, "Intervals and delays". */
const pollMs = 5_000

export const statsQuery = queryOptions({
  queryKey: ['/api/stats'],
  queryFn: ({ signal }) => fetchJson(Stats, 'GET', '/api/stats', { signal }),
  refetchInterval: pollMs,
  refetchIntervalInBackground: true,
})

const ProxyTestResult = z.object({ success: z.boolean(), message: z.string() })

export const testProxyMutation = mutationOptions({
  mutationFn: () => fetchJson(ProxyTestResult, 'POST', '/api/proxy/test'),
  meta: { failure: { title: 'Error', description: 'Failed to test proxy connection' } },
})
