import { useBlocker } from '@tanstack/react-router'
import { topLayer } from '#web/lib/layers.ts'

/** Makes Back close the topmost dialog, drawer, panel or menu instead of leaving the screen. */
export function BackClosesLayers() {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      const closeLayer = topLayer()
      if (action !== 'BACK' || !closeLayer) return false
      // The browser is on the previous entry now: closing may write to the URL once the router has gone forward again.
      window.addEventListener('popstate', closeLayer, { once: true })
      return true
    },
    enableBeforeUnload: false,
  })
  return null
}
