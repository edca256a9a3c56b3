import type { QueryClient } from '@tanstack/react-query'

/**
 * Reads again what a change has made stale.
 *
 * @param keys First parts of query keys, such as `/api/logs`.
 */
export async function refresh(client: QueryClient, keys: readonly string[]) {
  const reads = keys.map((key) => {
    // A first load may have been answered before the change, and invalidating alone would settle for it.
    void client.cancelQueries({ queryKey: [key], type: 'active' }, { silent: true })
    return client.invalidateQueries({ queryKey: [key] })
  })
  await Promise.all(reads)
}
