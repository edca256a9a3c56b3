import { useState } from 'react'
import { passwordQuestion } from '#web/lib/session/password-confirmation.ts'

/** Whether a call waits for the password. `wasOpened`: the dialog is not even loaded before that. */
export function useConfirmation() {
  const open = passwordQuestion.use() !== null
  const [wasOpened, setWasOpened] = useState(false)
  if (open && !wasOpened) setWasOpened(true)
  return { open, wasOpened }
}
