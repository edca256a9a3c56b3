import { useMutation } from '@tanstack/react-query'
import type { Webhook } from '#schemas/webhooks.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { deleteWebhookMutation } from './alerts-queries.ts'

type DeleteWebhookDialogProps = { webhook: Webhook; open: boolean; onClose: () => void }

export function DeleteWebhookDialog({ webhook, open, onClose }: DeleteWebhookDialogProps) {
  const { mutate, isPending } = useMutation(deleteWebhookMutation)
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Delete webhook?"
      description={`“${visibleLine(webhook.name)}” gets nothing more: neither new alerts nor messages that wait.`}
      actionText="Delete Webhook"
      pendingText={isPending && 'Deleting...'}
      onConfirm={() => mutate(webhook.id, { onSuccess: onClose })}
    />
  )
}
