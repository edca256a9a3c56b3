import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { ConfirmPasswordForm } from './confirm-password-form.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'
import { TwoFactorCodeForm } from './two-factor-code-form.tsx'
import { renewCodesMutation, setUpMutation } from './two-factor-queries.ts'

export type TwoFactorTask = 'enable' | 'renew'

const titles = {
  enable: 'Set up two-factor sign-in',
  renew: 'New recovery codes',
} satisfies Record<TwoFactorTask, string>

type TwoFactorDialogProps = { task: TwoFactorTask; open: boolean; onClose: () => void }

/** Password first; then, where there is something to set up or to keep, that. */
export function TwoFactorDialog({ task, open, onClose }: TwoFactorDialogProps) {
  const setUp = useMutation(setUpMutation)
  const renew = useMutation(renewCodesMutation)
  const [codes, setCodes] = useState<string[] | null>(null)

  async function confirm(password: string) {
    if (task === 'enable') await setUp.mutateAsync(password)
    else setCodes((await renew.mutateAsync(password)).recoveryCodes)
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
        <ConfirmPasswordForm pending={setUp.isPending || renew.isPending} onConfirm={confirm} onCancel={onClose} />
      )}
    </Dialog>
  )
}
