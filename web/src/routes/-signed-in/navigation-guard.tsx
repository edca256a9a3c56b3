import { useBlocker } from '@tanstack/react-router'
import { topLayer } from '#web/lib/layers.ts'
import { discardQuestion } from '#web/lib/question.ts'
import { isLeavingDocument } from '#web/lib/session/leave-document.ts'
import { hasUnsavedEdits } from '#web/lib/unsaved-edits.ts'

const isAtStake = () => hasUnsavedEdits() && !isLeavingDocument()

/**
 * Makes Back close the topmost dialog, drawer, panel or menu instead of leaving the screen. Asks once before a link, the
 * back button or closing the tab discards unsaved edits, wherever they are. A dialog that closes itself by the URL has
 * asked already, and sets `ignoreBlocker`.
 */
export function NavigationGuard() {
  useBlocker({
    shouldBlockFn: async ({ action }) => {
      const closeLayer = topLayer()
      if (action !== 'BACK' || !closeLayer) return isAtStake() && !(await discardQuestion.ask())
      // The browser is on the previous entry now: closing may write to the URL once the router has gone forward again.
      window.addEventListener('popstate', closeLayer, { once: true })
      return true
    },
    enableBeforeUnload: isAtStake,
  })
  return null
}
