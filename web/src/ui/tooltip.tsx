import { type FocusEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'

/** Delays from product.md 9.7, ms. */
const openDelayMs = 700
const skipDelayMs = 300

/** Room above a control for a long name, px. */
const roomAbove = 128

let lastClosedAt = Number.NEGATIVE_INFINITY

/**
 * Explains the one control inside it; its text must be available elsewhere, too. Placed by native popovers and anchors,
 * because a library would be larger than the whole app shell.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const bubble = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The text is rendered only once it was shown, so that a search in the page does not find it twice.
  const [side, setSide] = useState<'above' | 'below'>()

  function open() {
    const control = bubble.current?.parentElement
    setSide(control && control.getBoundingClientRect().top < roomAbove ? 'below' : 'above')
    bubble.current?.togglePopover(true)
  }

  function close() {
    clearTimeout(timer.current)
    if (!bubble.current?.matches(':popover-open')) return
    bubble.current.hidePopover()
    lastClosedAt = performance.now()
  }

  function openSoon(event: PointerEvent) {
    if (event.pointerType === 'touch') return
    clearTimeout(timer.current)
    timer.current = setTimeout(open, performance.now() - lastClosedAt < skipDelayMs ? 0 : openDelayMs)
  }

  const openForKeyboard = (event: FocusEvent) => event.target.matches(':focus-visible') && open()

  return (
    <span
      role="presentation"
      onPointerEnter={openSoon}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={openForKeyboard}
      onBlur={close}
      onKeyDown={(event) => event.key === 'Escape' && close()}
      className="inline-flex align-top [anchor-name:--tooltip] [anchor-scope:--tooltip]"
    >
      {children}
      {/* Includes the gap to the control, so that the pointer can cross it. */}
      <span
        ref={bubble}
        // Closed by Escape, whatever has the focus, where the browser knows hints; elsewhere it is `manual`.
        popover="hint"
        role="tooltip"
        // Without fallback positions: Safari 26.0 hangs as soon as the element around one is hidden.
        className={classNames(
          'inset-auto mx-2 max-w-64 bg-transparent py-1.5 [position-anchor:--tooltip] open:animate-fade-in',
          side === 'below' ? '[position-area:bottom]' : '[position-area:top]',
        )}
      >
        {side && (
          <span className="block rounded-control bg-fg px-2 py-1 text-xs wrap-anywhere text-bg shadow-lg">
            {visibleLine(text)}
          </span>
        )}
      </span>
    </span>
  )
}
