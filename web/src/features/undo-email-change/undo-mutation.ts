import { mutationOptions } from '@tanstack/react-query'
import type { UndoEmailChange } from '#schemas/account.ts'
import { send } from '#web/lib/api.ts'
import { loadDocument } from '#web/lib/session/leave-document.ts'

export const undoMutation = mutationOptions({
  mutationFn: async (body: UndoEmailChange) => {
    await send('POST', '/api/email-change/undo', { body })
    // A document of its own, so that nothing here belongs to a session that has just ended.
    await loadDocument('/undo-email-change?done=true')
  },
  meta: { failure: { title: 'Not undone' } },
})
