import { useEffect, useRef } from 'react'

const focusable = 'button, [tabindex]'

/**
 * For an element that disappears with the control that was pressed: the focus goes to the place around it, or to that
 * place's first control.
 * @param place selector of an ancestor that stays
 */
export function useFocusHeir<Box extends HTMLElement>(place: string) {
  const box = useRef<Box>(null)
  useEffect(() => {
    const around = box.current?.closest<HTMLElement>(place)
    return () => {
      if (document.activeElement !== document.body) return
      const heir = around?.matches(focusable) ? around : around?.querySelector<HTMLElement>(focusable)
      heir?.focus({ preventScroll: true })
    }
  }, [place])
  return box
}
