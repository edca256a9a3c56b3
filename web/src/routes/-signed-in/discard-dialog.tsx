import { discardQuestion } from '#web/lib/question.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'

export const DiscardDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <AlertDialog
    open={open}
    onClose={onClose}
    title="Leave without saving?"
    description="Your changes have not been saved."
    actionText="Discard Changes"
    pendingText={false}
    onConfirm={() => discardQuestion.answer(true)}
  />
)
