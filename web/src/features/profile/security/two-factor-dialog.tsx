import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Download } from 'lucide-react'
import { product } from '#schemas/product.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmPasswordForm } from '#web/ui/confirm-password-form.tsx'
import { useDialogForm } from '#web/ui/dialog-form.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TwoFactorCodeForm } from './two-factor-code-form.tsx'
import { renewCodesMutation, setUpMutation } from './two-factor-mutations.ts'

export type TwoFactorTask = 'enable' | 'renew'

const titles = {
  enable: 'Set up two-factor sign-in',
  renew: 'New recovery codes',
} satisfies Record<TwoFactorTask, string>

type TwoFactorDialogProps = { task: TwoFactorTask; open: boolean; onClose: () => void }

/** Asks for confirmation, then shows the key for the authenticator app, or the recovery codes. */
export function TwoFactorDialog({ task, open, onClose }: TwoFactorDialogProps) {
  const setUp = useMutation(setUpMutation)
  const renew = useMutation(renewCodesMutation)
  const [firstCodes, setFirstCodes] = useState<string[] | null>(null)
  const codes = firstCodes ?? renew.data?.recoveryCodes

  return (
    <Dialog
      open={open}
      onClose={onClose}
      modal="sticky"
      discardable
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
          onConfirm={({ currentPassword }) => setUp.mutateAsync(currentPassword)}
          onCancel={onClose}
        />
      ) : (
        <NewCodes pending={renew.isPending} onRenew={renew.mutate} onCancel={onClose} />
      )}
    </Dialog>
  )
}

type NewCodesProps = { pending: boolean; onRenew: () => void; onCancel: () => void }

function NewCodes({ pending, onRenew, onCancel }: NewCodesProps) {
  useDialogForm(pending, false)
  return (
    <>
      <p>The recovery codes that you have now become void.</p>
      <DialogActions>
        <Button disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="primary" pendingText={pending && 'Making...'} onClick={() => onRenew()}>
          Make new codes
        </Button>
      </DialogActions>
    </>
  )
}

/** Shown once: the server keeps no copy that can be read. */
function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warn">Keep these codes where you find them again. They will not be shown again.</Notice>
      <div className="relative rounded-control border border-line bg-bg p-4">
        <ul translate="no" className="grid grid-cols-2 gap-x-6 gap-y-1.5 font-mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={text} label="Copy the recovery codes" className="absolute top-1 right-1" />
      </div>
      <DialogActions>
        <Button onClick={() => saveFile(`${product.name.toLowerCase()}-recovery-codes.txt`, 'text/plain', text)}>
          <Download />
          Download
        </Button>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  )
}
