import { mutationOptions } from '@tanstack/react-query'
import type { ConfirmEmail, ForgotPassword, ResetPassword, UndoEmailChange } from '#schemas/account.ts'
import { send } from '#web/lib/api.ts'
import { loadDocument } from '#web/lib/session/leave-document.ts'
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

export const undoEmailChangeMutation = mutationOptions({
  mutationFn: async (link: UndoEmailChange) => {
    await send('POST', '/api/email-change/undo', { body: link })
    // A new document, so that nothing is left of a session that has just ended.
    await loadDocument('/undo-email-change?done=true')
  },
  meta: { failure: 'Not undone' },
})
