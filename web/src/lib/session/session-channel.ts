import { z } from 'zod'

/** All tabs of a browser share one session. */
const channel = new BroadcastChannel('sallyport.session')

/** The account that the session belongs to now; `null` once it has ended. */
const AccountId = z.uuid().nullable()
type AccountId = z.infer<typeof AccountId>

export const announceSession = (accountId: AccountId) => channel.postMessage(accountId)

/** Calls back when another tab signs in or out. */
export function onSessionAnnounced(listen: (accountId: AccountId) => void) {
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { success, data: accountId } = AccountId.safeParse(data)
    if (success) listen(accountId)
  })
}
