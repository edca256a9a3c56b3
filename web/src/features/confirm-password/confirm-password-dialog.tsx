import { mutationOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { Confirmation } from '#schemas/sessions.ts'
import { problemOf, send } from '#web/lib/api.ts'
import { twoFactorPath, twoFactorQuery } from '#web/lib/queries/two-factor.ts'
import { passwordQuestion } from '#web/lib/question.ts'
import { ConfirmPasswordForm } from '#web/ui/confirm-password-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

const confirmMutation = mutationOptions({
  mutationFn: (confirmation: Confirmation) => send('POST', '/api/user/confirm', { body: confirmation }),
  meta: {
    // A recovery code may have been used.
    refreshes: [twoFactorPath],
    failure: 'Not confirmed',
    handles: ['wrong-password', 'two-factor-required', 'two-factor-invalid'],
  },
})

/** Asks for the password when a call that could take over the account was rejected; the call is then sent again. */
export const ConfirmPasswordDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog
    open={open}
    onClose={onClose}
    modal="sticky"
    discardable
    title="Confirm that it’s you"
    description="This needs your password, because you signed in a while ago. Then it goes on by itself."
  >
    <ConfirmationForm onCancel={onClose} />
  </Dialog>
)

function ConfirmationForm({ onCancel }: { onCancel: () => void }) {
  const twoFactor = useQuery(twoFactorQuery)
  const { mutateAsync, isPending } = useMutation(confirmMutation)
  async function confirm(confirmation: Confirmation) {
    try {
      await mutateAsync(confirmation)
      passwordQuestion.answer(true)
    } catch (error) {
      // Two-factor sign-in was switched on meanwhile, in another window.
      const isCodeMissing = problemOf(error)?.code === 'two-factor-required'
      if (isCodeMissing && !twoFactor.data?.enabled) await twoFactor.refetch()
      throw error
    }
  }
  return (
    <ConfirmPasswordForm
      needsCode={twoFactor.data?.enabled ?? false}
      submitText="Confirm"
      pendingText={isPending && 'Checking...'}
      onConfirm={confirm}
      onCancel={onCancel}
    />
  )
}
