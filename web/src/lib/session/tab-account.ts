import { accountHeader, accountParameter } from '#schemas/account.ts'
import { createStore } from '../store.ts'

/** Whose tab this is: the browser's cookie may become another account's while the screen still shows this one. */
let accountId: string | null = null

/** Whose session the browser has. `other`: another account's, which the user is told; `dismissed`: has been told. */
export const browserSession = createStore<'own' | 'other' | 'dismissed'>('own')

/** From the first sign-in that it sees until it is left, a document belongs to one account. */
export function bindTab(id: string) {
  accountId ??= id
}

export const tabAccountId = () => accountId

/** Has the server reject the call when the session is another account's. */
export function nameAccount(request: Request) {
  if (accountId) request.headers.set(accountHeader, accountId)
}

/** The same for an address that the browser itself asks for, as those of links and pictures. */
export function linkOfAccount(address: string): string {
  if (!accountId) return address
  return `${address}${address.includes('?') ? '&' : '?'}${accountParameter}=${accountId}`
}

/** A call was rejected, because it was meant for this tab's account and the session is another's. */
export function noteOtherAccount() {
  if (browserSession.read() === 'own') browserSession.write('other')
}

/** Another tab has signed in. */
export const noteSignIn = (id: string) => browserSession.write(id === accountId ? 'own' : 'other')
