import { AlertDialog as Radix } from 'radix-ui'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { Button } from './button.tsx'
import { useReturnFocus } from './dialog-focus.ts'
import { dialogStyle, scrimStyle } from './modal.tsx'
import { useLayer } from './use-layer.ts'

type AlertDialogProps = {
  open: boolean
  onClose: () => void
  title: string
  description: ReactNode
  actionText: string
  pendingText: string | false
  onConfirm: () => void
  children?: ReactNode
}

/** Asks before something that can't be undone. Stays open until its parent closes it. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onClose, title, description, actionText, pendingText, onConfirm, children } = props
  const returnFocus = useReturnFocus()
  // Stays open during a call, so that its result is seen.
  const close = () => pendingText === false && onClose()
  useLayer(open, close)
  // A second press can come before React has disabled the button.
  const isPressed = useRef(false)
  useEffect(() => void (isPressed.current = false))

  function confirm({ detail }: MouseEvent) {
    // Takes no second click of a double click, and no second Enter while it fades out after a success.
    if (!open || detail > 1 || isPressed.current) return
    isPressed.current = true
    onConfirm()
  }

  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && close()}>
      <Radix.Portal>
        <Radix.Overlay className={scrimStyle} />
        <Radix.Content {...returnFocus} className={classNames(dialogStyle, 'max-w-md gap-4 overflow-y-auto p-5')}>
          <div>
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            <Radix.Description className="mt-1 break-words text-muted">{description}</Radix.Description>
          </div>
          {children}
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Radix.Cancel asChild>
              <Button disabled={pendingText !== false}>Cancel</Button>
            </Radix.Cancel>
            <Button variant="danger" pendingText={pendingText} onClick={confirm}>
              {actionText}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
