import { Dialog as Radix } from 'radix-ui'
import { type ComponentProps, useRef } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { useReturnFocus } from './dialog-focus.ts'
import { useLayer } from './use-layer.ts'

export const scrimStyle =
  'fixed inset-0 z-50 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in'

export const dialogStyle = classNames(
  'fixed inset-x-3 top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-2rem)] -translate-y-1/2 flex-col overflow-hidden',
  'rounded-panel border border-raised-line bg-raised shadow-xl outline-none',
  'data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in',
)

export const drawerStyle = classNames(
  'fixed inset-y-0 left-0 z-50 max-w-[85vw] border-r border-line bg-surface outline-none',
  'data-[state=closed]:animate-drawer-out data-[state=open]:animate-drawer-in',
)

type ModalProps = ComponentProps<typeof Radix.Content> & { open: boolean; onClose: () => void }

/** The base of dialogs and drawers: a layer over the page that Back and Escape close, and that returns the focus. */
export function Modal({ open, onClose, onOpenAutoFocus, onInteractOutside, ...content }: ModalProps) {
  const scrim = useRef<HTMLDivElement>(null)
  const returnFocus = useReturnFocus()
  useLayer(open, onClose)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay ref={scrim} className={scrimStyle} />
        <Radix.Content
          onInteractOutside={(event) => {
            // Extensions put their elements on top, such as the list of a password manager.
            if (event.target !== scrim.current) event.preventDefault()
            onInteractOutside?.(event)
          }}
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus(event)
            onOpenAutoFocus?.(event)
          }}
          onCloseAutoFocus={returnFocus.onCloseAutoFocus}
          {...content}
        />
      </Radix.Portal>
    </Radix.Root>
  )
}
