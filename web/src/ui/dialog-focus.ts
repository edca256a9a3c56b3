import { type RefObject, useRef } from 'react'
import { main, placeOf } from '#web/lib/browser/place-of.ts'

const firstField = 'input:not([hidden]), select, textarea'

type FindPlace = () => HTMLElement | null

/** Of the dialog that has opened last. */
let newest: RefObject<FindPlace> | undefined

/**
 * Focuses a dialog's first field, if it has one. On close, the focus goes back to what opened the dialog or, if that is
 * gone, to what has taken its place. A control that was focused meanwhile keeps the focus.
 */
export function useReturnFocus() {
  const findPlace = useRef<FindPlace>(main)
  return {
    onOpenAutoFocus: (event: Event) => {
      findPlace.current = placeOf(document.activeElement)
      newest = findPlace
      const field = event.currentTarget instanceof Element && event.currentTarget.querySelector<HTMLElement>(firstField)
      if (!field) return
      event.preventDefault()
      field.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (document.activeElement === document.body) findPlace.current()?.focus()
      // Another dialog has opened meanwhile, as by a command of the palette: it returns the focus for both.
      else if (newest) newest.current = findPlace.current
    },
  }
}
