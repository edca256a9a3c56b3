import { useMutation } from '@tanstack/react-query'
import { confirmDiscard, hasUnsavedEdits } from '#web/lib/unsaved-edits.ts'
import { logoutMutation } from './logout-mutation.ts'

/** Signs out; asks first when that would discard unsaved edits. */
export function useLogOut() {
  const { mutate, isPending, isSuccess } = useMutation(logoutMutation)
  async function logOut() {
    if (!hasUnsavedEdits() || (await confirmDiscard())) mutate()
  }
  return { logOut: () => void logOut(), isLeaving: isPending || isSuccess }
}
