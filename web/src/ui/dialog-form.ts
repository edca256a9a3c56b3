import { createContext, type RefObject, useContext, useEffect, useRef } from 'react'
import { discardQuestion } from '#web/lib/question.ts'

/** The state that closing a dialog would lose: edits, or the result of a call. */
type FormState = 'unchanged' | 'edited' | 'pending'

export const DialogForm = createContext<RefObject<FormState> | null>(null)

/** Tells the dialog around a form what the form holds. */
export function useDialogForm(pending: boolean, isEdited: boolean) {
  const stateRef = useContext(DialogForm)
  useEffect(() => {
    if (!stateRef) return
    if (pending) stateRef.current = 'pending'
    else stateRef.current = isEdited ? 'edited' : 'unchanged'
    return () => void (stateRef.current = 'unchanged')
  }, [stateRef, pending, isEdited])
}

/** @returns a function that closes a dialog: not during a call, and with edits only after a question */
export function useSafeClose(onClose: () => void, asks: boolean) {
  const state = useRef<FormState>('unchanged')
  async function close() {
    if (state.current === 'pending') return
    if (asks && state.current === 'edited' && !(await discardQuestion.ask())) return
    onClose()
  }
  return { state, close: () => void close() }
}
