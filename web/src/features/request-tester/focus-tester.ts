import { type RefObject, useEffect } from 'react'
import { createStore } from '#web/lib/store.ts'

const isWanted = createStore(false)

/** Scrolls the tester into view and focuses its button, once they are rendered. */
export const focusTester = () => isWanted.write(true)

export function useTesterFocus(button: RefObject<HTMLButtonElement | null>) {
  const wanted = isWanted.use()
  useEffect(() => {
    if (!wanted) return
    isWanted.write(false)
    button.current?.focus({ preventScroll: true })
    button.current?.form?.scrollIntoView({ block: 'center', behavior: 'smooth' })
  }, [wanted, button])
}
