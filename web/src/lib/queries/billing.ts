import { queryOptions } from '@tanstack/react-query'
import { Billing } from '#schemas/billing.ts'
import { jsonQuery } from './json-query.ts'

export const billingPath = '/api/billing'

export const billingQuery = queryOptions({
  ...jsonQuery(Billing, billingPath),
  // Usage changes while other screens are open.
  staleTime: 0,
})
