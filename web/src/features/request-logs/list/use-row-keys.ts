import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useState } from 'react'

const moves: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index) => index + 10,
  PageUp: (index) => index - 10,
  Home: () => 0,
  End: (_index, last) => last,
}

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
    const move = moves[event.key]
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.max(0, Math.min(count - 1, move(active, count - 1)))
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
