import type { QueryClient } from '@tanstack/react-query'

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
