import { useRef } from 'react'

const firstField = 'input, select, textarea'

/**
 * Puts focus into a dialog's first field, where it has one, and later back to what opened the dialog; where that is gone,
 * to what stands there now. What has taken the focus meanwhile keeps it.
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

/** @returns finds the control again, or what to go on from in its row, in the row beside it or in its table */
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
