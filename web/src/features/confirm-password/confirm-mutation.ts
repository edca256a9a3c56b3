import { mutationOptions } from '@tanstack/react-query'
import type { Confirmation } from '#schemas/sessions.ts'
import { send } from '#web/lib/api.ts'
import { twoFactorPath } from '#web/lib/queries/two-factor.ts'

export const confirmMutation = mutationOptions({
  mutationFn: (confirmation: Confirmation) => send('POST', '/api/user/confirm', { body: confirmation }),
  meta: {
    // A recovery code may have been used.
    refreshes: [twoFactorPath],
    failure: { title: 'Not confirmed' },
    handles: ['wrong-password', 'two-factor-required', 'two-factor-invalid'],
  },
})
