import { accountHeader, accountParameter } from '#schemas/account.ts'
import { createStore } from '../store.ts'

/** The tab's account: the browser's cookie may become another account's while the screen still shows this one. */
let accountId: string | null = null

/** The account of the browser's session. `other`: a dialog reports another account; `dismissed`: it was closed. */
export const browserSession = createStore<'own' | 'other' | 'dismissed'>('own')

/** A document belongs to one account, from its first sign-in until it is left. */
export function bindTab(id: string) {
  accountId ??= id
}

export const tabAccountId = () => accountId

/** Makes the server reject the call when the session is another account's. */
export function addAccountHeader(request: Request) {
  if (accountId) request.headers.set(accountHeader, accountId)
}

/** The same for a URL that the browser requests by itself, such as that of a link or a picture. */
export function linkOfAccount(address: string): string {
  if (!accountId) return address
  return `${address}${address.includes('?') ? '&' : '?'}${accountParameter}=${accountId}`
}

/** Records that a call was rejected, because the session is not of this tab's account. */
export function noteOtherAccount() {
  if (browserSession.read() === 'own') browserSession.write('other')
}

/** Records a sign-in in another tab. */
export const noteSignIn = (id: string) => browserSession.write(id === accountId ? 'own' : 'other')
