import type { QueryClient } from '@tanstack/react-query'
import { reachability } from './reachability.ts'
import { errorText, isUnauthorized } from './text/error-text.ts'
import { toast } from './toast.ts'

/**
 * Refetches the queries that a change has made stale.
 * @param keys first parts of query keys, such as `/api/logs`
 */
export async function refresh(client: QueryClient, keys: readonly string[]) {
  const reads = keys.map((key) => {
    // The response to a first load may be older than the change, and invalidating alone would keep it.
    void client.cancelQueries({ queryKey: [key], type: 'active' }, { silent: true })
    return client.invalidateQueries({ queryKey: [key] })
  })
  await Promise.all(reads)
}

/** Why something that a screen shows could not be refreshed. */
export const refreshError = (client: QueryClient, keys: readonly string[]): Error | undefined =>
  keys
    .flatMap((key) => client.getQueryCache().findAll({ queryKey: [key], type: 'active' }))
    .flatMap(({ state }) => (state.data !== undefined && state.error) || [])[0]

/** The same for what a screen shows. A toast says if that stays as it was; a banner says if the gateway is away. */
export async function refreshShown(client: QueryClient, keys: readonly string[]) {
  await refresh(client, keys)
  const error = refreshError(client, keys)
  if (!error || isUnauthorized(error) || !reachability.read()) return
  toast({ title: 'Not refreshed', description: errorText(error), destructive: true })
}
