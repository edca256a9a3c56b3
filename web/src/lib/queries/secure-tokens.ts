import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { SecureToken } from '#schemas/secure-tokens.ts'
import { fetchJson, nullIfUnauthorized } from '../api.ts'

export const secureTokensPath = '/api/tokens'

/** `null` without a session. Source: product.md 8.7. */
export const secureTokensQuery = queryOptions({
  queryKey: [secureTokensPath],
  queryFn: ({ signal }) => nullIfUnauthorized(fetchJson(z.array(SecureToken), 'GET', secureTokensPath, { signal })),
})
