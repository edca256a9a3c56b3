import { createContext, useContext, useLayoutEffect, useState } from 'react'
import { discardQuestion } from '#web/lib/question.ts'

/** The state that closing a dialog would lose: edits, or the result of a call. */
type FormState = 'unchanged' | 'edited' | 'pending'

export const DialogForm = createContext<((state: FormState) => void) | null>(null)

/** Tells the dialog around a form what the form holds. */
export function useDialogForm(pending: boolean, isEdited: boolean) {
  const setState = useContext(DialogForm)
  // At once: after an effect, Escape could come first.
  useLayoutEffect(() => {
    if (!setState) return
    if (pending) setState('pending')
    else setState(isEdited ? 'edited' : 'unchanged')
    return () => setState('unchanged')
  }, [setState, pending, isEdited])
}

/**
 * `close` closes a dialog: not during a call, and with edits only after a question. `isAtStake`: leaving the screen
 * would lose what the dialog holds.
 */
export function useSafeClose(onClose: () => void, asks: boolean) {
  const [state, setState] = useState<FormState>('unchanged')
  const isAtStake = state === 'pending' || (asks && state === 'edited')
  async function close() {
    if (state === 'pending' || (isAtStake && !(await discardQuestion.ask()))) return
    onClose()
  }
  return { setState, close: () => void close(), isAtStake }
}
