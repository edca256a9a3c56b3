import { useState, useSyncExternalStore } from 'react'
import { passwordConfirmation } from '#web/lib/session/password-confirmation.ts'

/** Whether a call waits for the password. `wasOpened`: the dialog is not even loaded before that. */
export function useConfirmation() {
  const open = useSyncExternalStore(passwordConfirmation.subscribe, passwordConfirmation.isAsked)
  const [wasOpened, setWasOpened] = useState(false)
  if (open && !wasOpened) setWasOpened(true)
  return { open, wasOpened }
}
