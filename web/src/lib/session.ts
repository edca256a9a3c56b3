import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { User } from '#schemas/account.ts'
import { fetchJson, nullIfUnauthorized } from './api.ts'

/** The signed-in user, or `null`. Source: specification §4, "Session". */
export const currentUserQuery = queryOptions({
  queryKey: ['/api/user'],
  queryFn: ({ signal }) => nullIfUnauthorized(fetchJson(User, 'GET', '/api/user', { signal })),
})

/** Forgets all that was fetched and leaves for `/auth`. */
export function endSession(client: QueryClient) {
  const [userKey] = currentUserQuery.queryKey
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== userKey })
  client.getMutationCache().clear()
  client.setQueryData(currentUserQuery.queryKey, null)
  reloadWhenRestored()
  window.location.assign('/auth')
}

/** The back button must not bring a signed-in screen back from the browser's page cache. */
export function reloadWhenRestored() {
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload()
  })
}
