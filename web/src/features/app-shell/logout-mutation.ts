import { mutationOptions } from '@tanstack/react-query'
import { send } from '#web/lib/api.ts'
import { endSession } from '#web/lib/session/session.ts'

export const logoutMutation = mutationOptions({
  mutationFn: async (_: void, { client }) => {
    await send('POST', '/api/logout')
    endSession(client)
  },
  meta: { failure: { title: 'Logout failed' } },
})
