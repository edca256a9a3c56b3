import { toast } from '../toast.ts'

const redirectDelayMs = 500

/** `announced`: the session is over and the sign-in follows; `begun`: the browser is on its way to another document. */
let departure: 'none' | 'announced' | 'begun' = 'none'

/** Whether another document is being loaded, which no unsaved edit may hold up any more. */
export const isLeavingDocument = () => departure === 'begun'

/** Says once that the session is over and leaves for the sign-in. Source: product.md 2.7. */
export function leaveExpiredSession() {
  if (departure !== 'none') return
  departure = 'announced'
  toast({ title: 'Unauthorized', description: 'You are logged out. Logging in again...', destructive: true })
  setTimeout(() => {
    // Signing out meanwhile has already left.
    if (departure === 'announced') leaveSession('/api/login')
  }, redirectDelayMs)
}

/** Goes to the sign-in by browser navigation, so that nothing of the session stays in memory. */
export function leaveSession(address: '/auth' | '/api/login') {
  beginDeparture()
  window.location.assign(address)
}

/** Loads the screen again, for the account that is signed in now. */
export function reloadDocument() {
  beginDeparture()
  window.location.reload()
}

/** Loads a screen as a document of its own. What waits for it ends with this one. */
export function loadDocument(address: string): Promise<never> {
  beginDeparture()
  window.location.replace(address)
  return new Promise(() => undefined)
}

function beginDeparture() {
  departure = 'begun'
  // The back button must not bring a screen that was left back from the browser's page cache.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload()
  })
}
