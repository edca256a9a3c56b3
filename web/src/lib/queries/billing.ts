import { queryOptions } from '@tanstack/react-query'
import { Billing } from '#schemas/billing.ts'
import { fetchJson } from '../api.ts'

export const billingPath = '/api/billing'

export const billingQuery = queryOptions({
  queryKey: [billingPath],
  queryFn: ({ signal }) => fetchJson(Billing, 'GET', billingPath, { signal }),
  // What was used this month goes on while other screens are looked at.
  gcTime: 15_000,
})
