import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { topLayer } from '#web/lib/layers.ts'
import { isLeavingDocument } from '#web/lib/session/leave-document.ts'
import { discardQuestion } from '#web/lib/question.ts'
import { noteUnsavedEdits } from '#web/lib/unsaved-edits.ts'

/**
 * Asks before a link, the back button, a sign-out or closing the tab discards unsaved edits. `isInDialog`: they outlive
 * a change of the query, by which some dialogs close themselves.
 */
export function UnsavedChangesGuard({ when, isInDialog = false }: { when: boolean; isInDialog?: boolean }) {
  useEffect(() => (when ? noteUnsavedEdits() : undefined), [when])
  const isAtStake = () => when && !isLeavingDocument()
  useBlocker({
    shouldBlockFn: async ({ action, current, next }) => {
      if (isInDialog && current.pathname === next.pathname) return false
      const closesLayer = action === 'BACK' && topLayer() !== undefined
      return isAtStake() && !closesLayer && !(await discardQuestion.ask())
    },
    enableBeforeUnload: isAtStake,
  })
  return null
}
