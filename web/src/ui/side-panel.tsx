import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useLayer } from './use-layer.ts'
import { DialogContent, type DialogContentProps } from './dialog.tsx'

type SidePanelProps = DialogContentProps & {
  onClose: () => void
  /** The element that gets the focus when the panel closes; the page if there is none. */
  returnFocusTo: () => HTMLElement | null
  children: ReactNode
}

/** A dialog beside the content that it is about, which can still be used. */
export function SidePanel({ onClose, returnFocusTo, ...content }: SidePanelProps) {
  useLayer(true, onClose)
  return (
    <Radix.Root open modal={false} onOpenChange={(next) => !next && onClose()}>
      <Radix.Content
        data-beside
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus({ preventScroll: true })
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          const target = returnFocusTo() ?? document.getElementById('main')
          target?.focus()
        }}
        onInteractOutside={(event) => event.preventDefault()}
        className="sticky top-4 flex h-[calc(100dvh-2rem)] w-5/12 max-w-3xl min-w-md shrink-0 flex-col overflow-hidden rounded-panel border border-line bg-surface outline-none"
      >
        <DialogContent {...content} />
      </Radix.Content>
    </Radix.Root>
  )
}
