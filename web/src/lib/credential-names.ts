import { useQuery } from '@tanstack/react-query'
import { apiKeysQuery } from './queries/api-keys.ts'
import { secureTokensQuery } from './queries/secure-tokens.ts'

export type CredentialName = { id: string; name: string }

/** The names behind the ids in logs; a credential that was deleted has none. */
export function useCredentialNames() {
  const keys = useQuery(apiKeysQuery).data ?? []
  const tokens = useQuery(secureTokensQuery).data ?? []
  return { keys, tokens } satisfies Record<string, readonly CredentialName[]>
}

/** Falls back to *** and the id. Source: product.md 7.1. */
export const credentialName = (list: readonly CredentialName[], id: string) =>
  list.find((entry) => entry.id === id)?.name ?? `***${id}`
