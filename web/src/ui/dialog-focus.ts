import { useRef } from 'react'
import { main, placeOf } from '#web/lib/browser/place-of.ts'

const firstField = 'input:not([hidden]), select, textarea'

/**
 * Focuses a dialog's first field, if it has one. On close, the focus goes back to what opened the dialog or, if that is
 * gone, to what has taken its place. A control that was focused meanwhile keeps the focus.
 */
export function useReturnFocus() {
  const findPlace = useRef<() => HTMLElement | null>(main)
  return {
    onOpenAutoFocus: (event: Event) => {
      findPlace.current = placeOf(document.activeElement)
      const field = event.currentTarget instanceof Element && event.currentTarget.querySelector<HTMLElement>(firstField)
      if (!field) return
      event.preventDefault()
      field.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (document.activeElement === document.body) findPlace.current()?.focus()
    },
  }
}
