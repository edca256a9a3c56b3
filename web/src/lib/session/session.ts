import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { User } from '#schemas/account.ts'
import { forgetStored } from './account-storage.ts'
import { fetchJson, nullIfUnauthorized } from '../api.ts'
import { announceSession } from './session-channel.ts'
import { bindTab } from './tab-account.ts'

/** The signed-in user, or `null`. Source: specification §4, "Session". */
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

let leaving = false

/** Whether the browser is on its way to another document, which no unsaved edit may hold up any more. */
export const isLeavingDocument = () => leaving

/** Goes to the sign-in by browser navigation, so that nothing of the session stays in memory. */
export function leaveSession(address: '/auth' | '/api/login') {
  leaving = true
  reloadWhenRestored()
  window.location.assign(address)
}

/** Starts anew, as whoever is signed in. */
export function reloadDocument() {
  leaving = true
  window.location.reload()
}

/** Loads a screen as a document of its own. What waits for it ends with this one. */
export function loadDocument(address: string): Promise<never> {
  leaving = true
  reloadWhenRestored()
  window.location.replace(address)
  return new Promise(() => undefined)
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

/** The back button must not bring a screen that was left back from the browser's page cache. */
function reloadWhenRestored() {
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload()
  })
}
