import { useBlocker } from '@tanstack/react-router'
import { isLeavingDocument } from '#web/lib/session/leave-document.ts'
import { AlertDialog } from './alert-dialog.tsx'

/** Asks before unsaved edits are lost, by a link, by the back button or by closing the tab. */
export function UnsavedChangesGuard({ when }: { when: boolean }) {
  const isAtStake = () => when && !isLeavingDocument()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isAtStake,
    enableBeforeUnload: isAtStake,
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
