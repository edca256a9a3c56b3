import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { User } from '#schemas/account.ts'
import { forgetStored } from './account-storage.ts'
import { fetchJson, nullIfUnauthorized } from '../api.ts'
import { leaveSession } from './leave-document.ts'
import { announceSession } from './session-channel.ts'
import { bindTab } from './tab-account.ts'

/** The signed-in user, or `null`. Source: product.md 2.6. */
export const currentUserQuery = queryOptions({
  queryKey: ['/api/user'],
  queryFn: async ({ signal }) => {
    const user = await nullIfUnauthorized(fetchJson(User, 'GET', '/api/user', { signal }))
    if (user) bindTab(user.id)
    return user
  },
})

/** What a sign-in brings. */
export function startSession(client: QueryClient, user: User) {
  bindTab(user.id)
  client.setQueryData(currentUserQuery.queryKey, user)
  announceSession(user.id)
}

/** Forgets all that was fetched and leaves for `/auth`. */
export function endSession(client: QueryClient) {
  const [userKey] = currentUserQuery.queryKey
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== userKey })
  client.getMutationCache().clear()
  forgetStored()
  client.setQueryData(currentUserQuery.queryKey, null)
  announceSession(null)
  leaveSession('/auth')
}
