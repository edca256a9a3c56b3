import { endDiscardQuestion } from '#web/lib/unsaved-edits.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'

export const DiscardDialog = ({ open }: { open: boolean }) => (
  <AlertDialog
    open={open}
    onClose={() => endDiscardQuestion(false)}
    title="Leave without saving?"
    description="Your changes have not been saved."
    actionText="Discard Changes"
    pendingText={false}
    onConfirm={() => endDiscardQuestion(true)}
  />
)
