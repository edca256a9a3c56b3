import { useMutation } from '@tanstack/react-query'
import type { Alert } from '#schemas/alerts.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { deleteAlertMutation } from './alerts-queries.ts'

type DeleteAlertDialogProps = { alert: Alert; open: boolean; onClose: () => void }

export function DeleteAlertDialog({ alert, open, onClose }: DeleteAlertDialogProps) {
  const { mutate, isPending } = useMutation(deleteAlertMutation)
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Delete alert?"
      description={`“${visibleLine(alert.name)}” and its history are deleted. Nothing more is sent, not even that it is resolved.`}
      actionText="Delete Alert"
      pendingText={isPending && 'Deleting...'}
      onConfirm={() => mutate(alert.id, { onSuccess: onClose })}
    />
  )
}
