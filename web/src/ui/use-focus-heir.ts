import { useEffect, useRef } from 'react'

const focusable = 'button:enabled, [tabindex]'

/**
 * For an element that disappears together with the control that was pressed: moves the focus to the ancestor
 * `place` or, if that can't have the focus, to its first control.
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
