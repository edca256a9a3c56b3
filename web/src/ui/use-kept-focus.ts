import { useLayoutEffect, useRef } from 'react'

/** Gives the focus back to a control that lost it by being disabled for a while. */
export function useKeptFocus<Control extends HTMLElement>(disabled: boolean) {
  const ref = useRef<Control>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (disabled) hadFocus.current = document.activeElement === ref.current
    else if (hadFocus.current && document.activeElement === document.body) ref.current?.focus()
  }, [disabled])
  return ref
}
