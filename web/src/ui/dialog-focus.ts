import { useRef } from 'react'

const firstField = 'input, select, textarea'

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

const main = () => document.getElementById('main')

/** @returns a function that finds the control, or else one in its row, the row beside it or its table */
function placeOf(control: Element | null) {
  if (!(control instanceof HTMLElement) || control === document.body) return main
  const row = control.closest('li')
  const places = [row, row?.nextElementSibling, row?.previousElementSibling, control.closest('table')]
  return () => {
    if (control.isConnected) return control
    const place = places.find((each) => each?.isConnected)
    return place?.querySelector<HTMLElement>('tr[tabindex="0"], li button') ?? main()
  }
}
