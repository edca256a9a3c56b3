import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useState } from 'react'
import { movedIndex } from '#web/lib/browser/moved-index.ts'

/** Arrow keys move between rows, Enter opens one; only the active row is a tab stop. */
export function useRowKeys(
  count: number,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  onOpen: (index: number) => void,
) {
  const [selected, setActive] = useState(0)
  const active = Math.min(selected, Math.max(0, count - 1))

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const isRow = event.target instanceof HTMLElement && event.target.dataset.index !== undefined
    if (event.key === 'Enter' && isRow) {
      event.preventDefault()
      onOpen(active)
      return
    }
    const next = movedIndex(event, ['ArrowUp', 'ArrowDown'], active, count - 1)
    if (next === undefined) return
    event.preventDefault()
    setActive(next)
    virtualizer.scrollToIndex(next)
    const list = event.currentTarget
    const focus = () => list.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true })
    focus()
    // Again after two frames, because the row may not be rendered yet; by then, details may have the focus.
    const focusAgain = () => {
      const { activeElement } = document
      if (activeElement === document.body || list.contains(activeElement)) focus()
    }
    requestAnimationFrame(() => requestAnimationFrame(focusAgain))
  }

  return { active, setActive, onKeyDown }
}
