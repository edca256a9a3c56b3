import { z } from 'zod'
import { tryStorage } from '../browser/stored.ts'

/** All tabs of a browser share one session. Where Firefox blocks a site's data, there is no channel. */
const channel = tryStorage(() => new BroadcastChannel('sallyport.session'))

/** The account that the session belongs to now; `null` once it has ended. */
const AccountId = z.uuid().nullable()
type AccountId = z.infer<typeof AccountId>

export const announceSession = (accountId: AccountId) => channel?.postMessage(accountId)

/** Calls back when another tab signs in or out. */
export function onSessionAnnounced(listen: (accountId: AccountId) => void) {
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { success, data: accountId } = AccountId.safeParse(data)
    if (success) listen(accountId)
  })
}
