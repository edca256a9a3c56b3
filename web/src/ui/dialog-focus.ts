import { useRef } from 'react'

const firstField = 'input, select, textarea'

/**
 * Puts focus into a dialog's first field, where it has one, and later back to what opened the dialog, or to the page
 * where that is gone (a deleted row). What has taken the focus meanwhile keeps it.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement
      const field = event.currentTarget instanceof Element && event.currentTarget.querySelector<HTMLElement>(firstField)
      if (!field) return
      event.preventDefault()
      field.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (document.activeElement !== document.body) return
      const target = opener.current
      if (target instanceof HTMLElement && target !== document.body && target.isConnected) target.focus()
      else document.getElementById('main')?.focus()
    },
  }
}
