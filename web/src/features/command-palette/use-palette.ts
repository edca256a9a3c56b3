import { useEffect, useState } from 'react'
import { useEver } from '#web/lib/use-ever.ts'

/** Whether the palette is open; Ctrl-K, or Cmd-K on a Mac, opens and closes it everywhere. */
export function usePalette() {
  const [open, setOpen] = useState(false)
  const wasOpened = useEver(open)
  useEffect(() => {
    function toggle(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen((current) => !current)
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [])
  return { open, setOpen, wasOpened }
}
