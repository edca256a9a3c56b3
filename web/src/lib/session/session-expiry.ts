import { isLeavingDocument, leaveSession } from './session.ts'
import { toast } from '../toast.ts'

const redirectDelayMs = 500
let leaving = false

/** Says once that the session is over and leaves for the sign-in. Source: specification §8, "Unauthorized". */
export function leaveExpiredSession() {
  if (leaving || isLeavingDocument()) return
  leaving = true
  toast({ title: 'Unauthorized', description: 'You are logged out. Logging in again...', destructive: true })
  setTimeout(() => {
    // Signing out meanwhile has already left.
    if (!isLeavingDocument()) leaveSession('/api/login')
  }, redirectDelayMs)
}
