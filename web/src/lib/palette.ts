import { useEffect } from 'react'
import { createStore } from './store.ts'

export const isPaletteOpen = createStore(false)

/** Whether the command palette is open; Ctrl-K, or Cmd-K on a Mac, opens and closes it everywhere. */
export function usePalette() {
  useEffect(() => {
    function toggle(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      isPaletteOpen.write(!isPaletteOpen.read())
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [])
  return isPaletteOpen.use()
}
