import { useBlocker } from '@tanstack/react-router'
import { isLeavingDocument } from '#web/lib/session/leave-document.ts'
import { AlertDialog } from './alert-dialog.tsx'

/** Asks before a link, the back button or closing the tab discards unsaved edits. */
export function UnsavedChangesGuard({ when }: { when: boolean }) {
  const shouldAsk = () => when && !isLeavingDocument()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: shouldAsk,
    enableBeforeUnload: shouldAsk,
    withResolver: true,
  })
  return (
    <AlertDialog
      open={status === 'blocked'}
      onOpenChange={(open) => !open && reset?.()}
      title="Leave without saving?"
      description="Your changes on this screen have not been saved."
      actionText="Discard Changes"
      pendingText={false}
      onConfirm={() => proceed?.()}
    />
  )
}
