import { mutationOptions } from '@tanstack/react-query'
import type { ConfirmEmail, ForgotPassword, ResetPassword } from '#schemas/account.ts'
import { send } from '#web/lib/api.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'

export const forgotPasswordMutation = mutationOptions({
  mutationFn: (address: ForgotPassword) => send('POST', '/api/forgot-password', { body: address }),
  meta: { failure: 'Request failed' },
})

export const resetPasswordMutation = mutationOptions({
  mutationFn: (reset: ResetPassword) => send('POST', '/api/reset-password', { body: reset }),
  meta: { failure: 'Password reset failed' },
})

export const confirmEmailMutation = mutationOptions({
  mutationFn: (link: ConfirmEmail) => send('POST', '/api/confirm-email', { body: link }),
  meta: { refreshes: currentUserQuery.queryKey, failure: 'Confirmation failed' },
})
