import { useMutation } from '@tanstack/react-query'
import type { ApiKey } from '#schemas/api-keys.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { deleteKeyMutation } from './api-keys-mutations.ts'

type DeleteKeyDialogProps = { apiKey: ApiKey; open: boolean; onClose: () => void }

export function DeleteKeyDialog({ apiKey, open, onClose }: DeleteKeyDialogProps) {
  const { mutate, isPending } = useMutation(deleteKeyMutation)
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Delete API key?"
      description={`“${visibleLine(apiKey.name)}” is removed from the gateway for good. The key at your provider stays as it is.`}
      actionText="Delete Key"
      pendingText={isPending && 'Deleting...'}
      onConfirm={() => mutate(apiKey.id, { onSuccess: onClose })}
    >
      {apiKey.isPrimary && (
        <Notice tone="warn" title="This is your primary key">
          Proxy requests may fail until you set another key as primary.
        </Notice>
      )}
    </AlertDialog>
  )
}
