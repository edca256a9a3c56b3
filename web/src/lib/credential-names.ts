import { type UseQueryResult, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { apiKeysQuery } from './queries/api-keys.ts'
import { secureTokenQuery, secureTokensQuery } from './queries/secure-tokens.ts'

export type CredentialName = { id: string; name: string }

const isId = (text: string | null) => z.uuid().safeParse(text).success

const found = (results: UseQueryResult<CredentialName | null>[]) => results.flatMap(({ data }) => data ?? [])

/**
 * The names behind the ids in logs; a credential that was deleted has none.
 * @param tokenIds the tokens to name: of many tokens, only the first ones are known
 */
export function useCredentialNames(tokenIds: readonly (string | null)[] = []) {
  const keys = useQuery(apiKeysQuery).data ?? []
  const { tokens: listed = [], isPaged = false } = useInfiniteQuery(secureTokensQuery()).data ?? {}
  const isUnknown = (id: string | null): id is string => isId(id) && !listed.some((token) => token.id === id)
  const unknown = isPaged ? [...new Set(tokenIds)].filter(isUnknown) : []
  const others = useQueries({ queries: unknown.map(secureTokenQuery), combine: found })
  return { keys, tokens: [...listed, ...others] } satisfies Record<string, readonly CredentialName[]>
}

/** Falls back to *** and the id. Source: product.md 7.1. */
export const credentialName = (list: readonly CredentialName[], id: string) =>
  list.find((entry) => entry.id === id)?.name ?? `***${id}`
