import { useRef } from 'react'

/** Brings focus back to what opened a dialog, or to the page where that is gone (a deleted row). */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const target = opener.current
      if (target instanceof HTMLElement && target !== document.body && target.isConnected) target.focus()
      else document.getElementById('main')?.focus()
    },
  }
}
