import type { QueryClient } from '@tanstack/react-query'
import { currentUserQuery } from './session.ts'
import { onSessionAnnounced } from './session-channel.ts'
import { leaveExpiredSession } from './leave-document.ts'
import { noteSignIn, tabAccountId } from './tab-account.ts'

/** Follows sign-ins and sign-outs in other tabs. */
export function watchOtherTabs(client: QueryClient) {
  onSessionAnnounced((accountId) => {
    if (tabAccountId() === null) void client.refetchQueries(currentUserQuery)
    else if (accountId === null) leaveExpiredSession()
    else noteSignIn(accountId)
  })
}
