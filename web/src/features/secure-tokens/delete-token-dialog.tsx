import { useMutation } from '@tanstack/react-query'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { deleteTokenMutation } from './secure-tokens-mutations.ts'

type DeleteTokenDialogProps = { token: SecureToken; open: boolean; onClose: () => void }

export function DeleteTokenDialog({ token, open, onClose }: DeleteTokenDialogProps) {
  const { mutate, isPending } = useMutation(deleteTokenMutation)
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Delete secure token?"
      description={`Clients that use “${visibleLine(token.name)}” are rejected from now on. This can’t be undone.`}
      actionText="Delete Token"
      pendingText={isPending && 'Deleting...'}
      onConfirm={() => mutate(token.id, { onSuccess: onClose })}
    />
  )
}
