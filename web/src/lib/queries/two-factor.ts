import { queryOptions } from '@tanstack/react-query'
import { TwoFactorStatus } from '#schemas/two-factor.ts'
import { fetchJson } from '../api.ts'

export const twoFactorPath = '/api/user/two-factor'

export const twoFactorQuery = queryOptions({
  queryKey: [twoFactorPath],
  queryFn: ({ signal }) => fetchJson(TwoFactorStatus, 'GET', twoFactorPath, { signal }),
})
