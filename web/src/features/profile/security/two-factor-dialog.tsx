import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ConfirmPasswordForm } from '#web/ui/confirm-password-form.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'
import { TwoFactorCodeForm } from './two-factor-code-form.tsx'
import { renewCodesMutation, setUpMutation } from './two-factor-mutations.ts'

export type TwoFactorTask = 'enable' | 'renew'

const titles = {
  enable: 'Set up two-factor sign-in',
  renew: 'New recovery codes',
} satisfies Record<TwoFactorTask, string>

type TwoFactorDialogProps = { task: TwoFactorTask; open: boolean; onClose: () => void }

/** Asks first, then shows the app's key to set up or the codes to keep. */
export function TwoFactorDialog({ task, open, onClose }: TwoFactorDialogProps) {
  const setUp = useMutation(setUpMutation)
  const renew = useMutation(renewCodesMutation)
  const [firstCodes, setFirstCodes] = useState<string[] | null>(null)
  const codes = firstCodes ?? renew.data?.recoveryCodes

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
        <TwoFactorCodeForm setup={setUp.data} onCodes={setFirstCodes} onCancel={onClose} />
      ) : task === 'enable' ? (
        <ConfirmPasswordForm
          submitText="Continue"
          pendingText={setUp.isPending && 'Checking...'}
          onConfirm={(password) => setUp.mutateAsync(password)}
          onCancel={onClose}
        />
      ) : (
        <>
          <p>The recovery codes that you have now become void.</p>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" pendingText={renew.isPending && 'Making...'} onClick={() => renew.mutate()}>
              Make new codes
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
