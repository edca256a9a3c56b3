import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { send } from '#web/lib/api.ts'
import { endSession } from '#web/lib/session/session.ts'

export const logoutMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => send('POST', '/api/logout'),
    onSuccess: () => endSession(client),
    meta: { failure: { title: 'Logout failed' } },
  })
