import { mutationOptions, useMutation } from '@tanstack/react-query'
import { send } from '#web/lib/api.ts'
import { discardQuestion } from '#web/lib/question.ts'
import { endSession } from '#web/lib/session/session.ts'
import { hasUnsavedEdits } from '#web/lib/unsaved-edits.ts'

const logoutMutation = mutationOptions({
  mutationFn: async (_: void, { client }) => {
    await send('POST', '/api/logout')
    endSession(client)
  },
  meta: { failure: 'Logout failed' },
})

/** Signs out; asks first when that would discard unsaved edits. */
export function useLogOut() {
  const { mutate, isPending, isSuccess } = useMutation(logoutMutation)
  async function logOut() {
    if (!hasUnsavedEdits() || (await discardQuestion.ask())) mutate()
  }
  return { logOut: () => void logOut(), isLeaving: isPending || isSuccess }
}
