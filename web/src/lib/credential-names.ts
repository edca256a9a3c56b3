import { queryOptions, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { ApiKey } from '#schemas/api-keys.ts'
import { SecureToken } from '#schemas/secure-tokens.ts'
import { fetchJson, nullIfUnauthorized } from './api.ts'

// The same keys and contracts as on the screens of these lists, so that all share one answer.
const keysQuery = queryOptions({
  queryKey: ['/api/keys'],
  queryFn: ({ signal }) => fetchJson(z.array(ApiKey), 'GET', '/api/keys', { signal }),
})
const tokensQuery = queryOptions({
  queryKey: ['/api/tokens'],
  queryFn: ({ signal }) => nullIfUnauthorized(fetchJson(z.array(SecureToken), 'GET', '/api/tokens', { signal })),
})

export type CredentialName = { id: string; name: string }

/** The names behind the ids in logs; a credential that was deleted has none. */
export function useCredentialNames() {
  const keys = useQuery(keysQuery).data ?? []
  const tokens = useQuery(tokensQuery).data ?? []
  return { keys, tokens } satisfies Record<string, readonly CredentialName[]>
}

/** Falls back to the id as the specification shows it: *** followed by the id. */
export const credentialName = (list: readonly CredentialName[], id: string) =>
  list.find((entry) => entry.id === id)?.name ?? `***${id}`
