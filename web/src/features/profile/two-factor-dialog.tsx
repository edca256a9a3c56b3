import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { ConfirmPasswordForm } from './confirm-password-form.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'
import { TwoFactorCodeForm } from './two-factor-code-form.tsx'
import { disableMutation, renewCodesMutation, setUpMutation } from './two-factor-queries.ts'

export type TwoFactorTask = 'enable' | 'disable' | 'renew'

const titles = {
  enable: 'Set up two-factor sign-in',
  disable: 'Switch two-factor sign-in off',
  renew: 'New recovery codes',
} satisfies Record<TwoFactorTask, string>

type TwoFactorDialogProps = { task: TwoFactorTask; open: boolean; onClose: () => void }

/** Password first; then, where there is something to set up or to keep, that. */
export function TwoFactorDialog({ task, open, onClose }: TwoFactorDialogProps) {
  const setUp = useMutation(setUpMutation)
  const disable = useMutation(disableMutation)
  const renew = useMutation(renewCodesMutation)
  const [codes, setCodes] = useState<string[] | null>(null)

  async function confirm(password: string) {
    if (task === 'enable') await setUp.mutateAsync(password)
    else if (task === 'renew') setCodes((await renew.mutateAsync(password)).recoveryCodes)
    else {
      await disable.mutateAsync(password)
      onClose()
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      modal="sticky"
      title={titles[task]}
      description={
        codes ? 'Each code signs you in once when you have no app at hand.' : 'Your account stays yours alone.'
      }
    >
      {codes ? (
        <RecoveryCodeList codes={codes} onDone={onClose} />
      ) : setUp.data ? (
        <TwoFactorCodeForm setup={setUp.data} onCodes={setCodes} onCancel={onClose} />
      ) : (
        <ConfirmPasswordForm
          pending={setUp.isPending || disable.isPending || renew.isPending}
          actionText={task === 'disable' ? 'Switch off' : 'Continue'}
          onConfirm={confirm}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}
