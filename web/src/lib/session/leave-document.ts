import { toast } from '../toast.ts'
import { rememberPlace } from './sign-in-place.ts'
import { tabAccountId } from './tab-account.ts'

const redirectDelayMs = 500

/** `announced`: the session is over and the sign-in follows; `begun`: the browser is loading another document. */
let departure: 'none' | 'announced' | 'begun' = 'none'

/** Whether another document is being loaded, which unsaved edits no longer block. */
export const isLeavingDocument = () => departure === 'begun'

/** Announces once that the session is over, and goes to the sign-in, which leads back here. Source: product.md 2.7. */
export function leaveExpiredSession() {
  if (departure !== 'none') return
  departure = 'announced'
  const { pathname, search, hash } = window.location
  rememberPlace(pathname + search + hash, tabAccountId())
  toast({ title: 'Unauthorized', description: 'You are logged out. Logging in again...', destructive: true })
  setTimeout(() => {
    // A sign-out in between has already left.
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

/** Loads a screen as a new document. The promise never resolves: this document ends first. */
export function loadDocument(address: string): Promise<never> {
  beginDeparture()
  window.location.replace(address)
  return new Promise(() => undefined)
}

function beginDeparture() {
  departure = 'begun'
  // The back button must not restore a screen from the browser's page cache.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload()
  })
}
