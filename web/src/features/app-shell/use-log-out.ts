import { useMutation } from '@tanstack/react-query'
import { discardQuestion } from '#web/lib/question.ts'
import { hasUnsavedEdits } from '#web/lib/unsaved-edits.ts'
import { logoutMutation } from './logout-mutation.ts'

/** Signs out; asks first when that would discard unsaved edits. */
export function useLogOut() {
  const { mutate, isPending, isSuccess } = useMutation(logoutMutation)
  async function logOut() {
    if (!hasUnsavedEdits() || (await discardQuestion.ask())) mutate()
  }
  return { logOut: () => void logOut(), isLeaving: isPending || isSuccess }
}
