import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeysQuery } from '#web/lib/queries/api-keys.ts'
import { secureTokensQuery } from '#web/lib/queries/secure-tokens.ts'
import { statsQuery } from '#web/lib/queries/stats.ts'

export type Setup = { hasKey: boolean; hasToken: boolean; hasRequest: boolean }

/**
 * The steps that an account has completed, and whether to show them: until all are done and the card is closed.
 * `known` is false until all three queries have succeeded or failed, so that nothing moves later.
 */
export function useSetup() {
  const keys = useQuery(apiKeysQuery)
  const tokens = useInfiniteQuery(secureTokensQuery())
  const stats = useQuery(statsQuery)
  const [wasIncomplete, setWasIncomplete] = useState(false)
  const known = [keys, tokens, stats].every((query) => query.isFetched)
  const setup: Setup = {
    hasKey: keys.data === undefined || keys.data.length > 0,
    hasToken: !tokens.data || tokens.data.total > 0,
    hasRequest: stats.data === undefined || stats.data.totalRequests > 0,
  }
  const incomplete = known && !(setup.hasKey && setup.hasToken && setup.hasRequest)
  if (incomplete && !wasIncomplete) setWasIncomplete(true)
  return { known, setup, shown: incomplete || wasIncomplete, dismiss: () => setWasIncomplete(false) }
}
