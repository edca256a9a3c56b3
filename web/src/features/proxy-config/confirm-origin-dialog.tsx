import { useMutation } from '@tanstack/react-query'
import { ConfirmPasswordForm } from '#web/ui/confirm-password-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { type ConfigChanges, saveConfigMutation } from './config-values.ts'

type ConfirmOriginDialogProps = { changes: ConfigChanges; open: boolean; onClose: () => void; onSaved: () => void }

/** Asks for the password, because stored keys were entered for another address. */
export function ConfirmOriginDialog({ changes, open, onClose, onSaved }: ConfirmOriginDialogProps) {
  const { mutateAsync, isPending } = useMutation(saveConfigMutation)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      discardable
      title="Change the provider’s address?"
      description={
        <>
          Your API keys were entered for another address and are not sent to{' '}
          <span className="font-mono text-xs break-all text-fg">{changes.baseUrl}</span>: requests fail until you add a
          key for it. Confirm with your password.
        </>
      }
    >
      <ConfirmPasswordForm
        submitText="Confirm and Save"
        pendingText={isPending && 'Saving...'}
        onConfirm={async ({ currentPassword }) => {
          await mutateAsync({ ...changes, currentPassword })
          onSaved()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}
