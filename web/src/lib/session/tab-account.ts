import { accountHeader, accountParameter } from '#schemas/account.ts'

/** Whose tab this is: the browser's cookie may become another account's while the screen still shows this one. */
let accountId: string | null = null
/** `other`: another account is signed in, and the user is to be told; `told`: is known. */
let standing: 'own' | 'other' | 'told' = 'own'
const listeners = new Set<() => void>()

function publish(next: typeof standing) {
  standing = next
  for (const listener of listeners) listener()
}

/** From the first sign-in that it sees until it is left, a document belongs to one account. */
export function bindTab(id: string) {
  accountId ??= id
}

export const tabAccountId = () => accountId

/** Makes a call answerable for the tab's account only. */
export function nameAccount(request: Request) {
  if (accountId) request.headers.set(accountHeader, accountId)
}

/** The same for an address that the browser itself asks for, as those of links and pictures. */
export function linkOfAccount(address: string): string {
  if (!accountId) return address
  return `${address}${address.includes('?') ? '&' : '?'}${accountParameter}=${accountId}`
}

export const otherAccount = {
  read: () => standing === 'other',
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** A call was refused, because it was meant for this tab's account. */
  met: () => {
    if (standing === 'own') publish('other')
  },
  /** Somebody has signed in in another tab. */
  signedIn: (id: string) => publish(id === accountId ? 'own' : 'other'),
  dismiss: () => publish('told'),
}
