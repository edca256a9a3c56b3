import { queryOptions } from '@tanstack/react-query'
import { Billing } from '#schemas/billing.ts'
import { fetchJson } from '../api.ts'

export const billingPath = '/api/billing'

export const billingQuery = queryOptions({
  queryKey: [billingPath],
  queryFn: ({ signal }) => fetchJson(Billing, 'GET', billingPath, { signal }),
  // Usage changes while other screens are open.
  staleTime: 0,
})
