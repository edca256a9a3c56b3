import { useEffect, useState } from 'react'

/** Whether the palette is open; Ctrl-K, or Cmd-K on a Mac, opens and closes it everywhere. */
export function usePalette() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    function toggle(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen((current) => !current)
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [])
  return { open, setOpen }
}
