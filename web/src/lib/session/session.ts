import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { User } from '#schemas/account.ts'
import { forgetStored } from './account-storage.ts'
import { fetchJson, nullIfUnauthorized } from '../api.ts'
import { leaveSession, leaveExpiredSession } from './leave-document.ts'
import { forgetPlace } from './sign-in-place.ts'
import { announceSession, onSessionAnnounced } from './session-channel.ts'
import { bindTab, noteSignIn, tabAccountId } from './tab-account.ts'

/** The signed-in user, or `null`. Source: product.md 2.6. */
export const currentUserQuery = queryOptions({
  queryKey: ['/api/user'],
  queryFn: async ({ signal }) => {
    const user = await nullIfUnauthorized(fetchJson(User, 'GET', '/api/user', { signal }))
    if (user) bindTab(user.id)
    return user
  },
})

/** Binds the tab to the user that has just signed in, and announces it to the other tabs. */
export function startSession(client: QueryClient, user: User) {
  bindTab(user.id)
  client.setQueryData(currentUserQuery.queryKey, user)
  announceSession(user.id)
}

/** Drops all fetched data and leaves for `/auth`. */
export function endSession(client: QueryClient) {
  const [userKey] = currentUserQuery.queryKey
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== userKey })
  client.getMutationCache().clear()
  forgetStored()
  forgetPlace()
  client.setQueryData(currentUserQuery.queryKey, null)
  announceSession(null)
  leaveSession('/auth')
}

export function watchOtherTabs(client: QueryClient) {
  onSessionAnnounced((accountId) => {
    if (tabAccountId() === null) void client.refetchQueries(currentUserQuery)
    else if (accountId === null) {
      leaveExpiredSession()
      forgetPlace()
    } else noteSignIn(accountId)
  })
}
