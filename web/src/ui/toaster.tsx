import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { useRef, useState } from 'react'
import { main, placeOf } from '#web/lib/browser/place-of.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { topLayer } from '#web/lib/layers.ts'
import { closeToast, toastStore } from '#web/lib/toast.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

/** Escape closes dialogs first, although toasts are shown above them. */
function closeFirst(event: Event, closeLayer: (() => void) | undefined) {
  if (!closeLayer) return
  event.preventDefault()
  closeLayer()
}

/** Shows what `toast()` was given. Times and sizes: product.md 9.6. */
export function Toaster() {
  const toast = toastStore.use()
  const Icon = toast?.destructive ? CircleAlert : CircleCheck
  const viewport = useRef<HTMLOListElement>(null)
  /** Finds what had the focus before it went to the toast. */
  const findPlace = useRef<() => HTMLElement | null>(main)

  function close() {
    closeToast()
    // Radix moves the focus of a closed toast to the empty region at the end of the page.
    if (document.activeElement === viewport.current) findPlace.current()?.focus({ preventScroll: true })
    findPlace.current = main
  }

  return (
    <div
      onFocus={({ currentTarget, relatedTarget }) => {
        // None when the browser's window gets the focus back.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) findPlace.current = placeOf(relatedTarget)
      }}
    >
      <Toast.Provider duration={5000} swipeDirection="right" swipeThreshold={50}>
        {toast && (
          <Toast.Root
            key={toast.id}
            open={toast.open}
            onOpenChange={(open) => !open && close()}
            onEscapeKeyDown={(event) => closeFirst(event, topLayer())}
            type={toast.destructive ? 'foreground' : 'background'}
            className={classNames(
              'pointer-events-auto flex w-full items-start gap-3 rounded-panel border bg-raised p-4 shadow-xl',
              'data-[state=closed]:animate-toast-out data-[state=open]:animate-toast-in',
              'data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
              'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
              toast.destructive ? 'border-danger' : 'border-raised-line',
            )}
          >
            <Icon
              aria-hidden="true"
              className={classNames('mt-0.5 size-4 shrink-0', toast.destructive ? 'text-danger' : 'text-ok')}
            />
            <div className="min-w-0 flex-1 break-words">
              <Toast.Title className="line-clamp-2 font-medium">{toast.title}</Toast.Title>
              {/* Screen readers read both as one text. */}{' '}
              {toast.description && <Description text={toast.description} />}
            </div>
            <Toast.Close asChild>
              <IconButton label="Dismiss" icon={<X />} className="-m-3 md:-m-1.5" />
            </Toast.Close>
          </Toast.Root>
        )}
        <Toast.Viewport
          ref={viewport}
          hotkey={['F8']}
          // Keeps an open dialog from hiding the toasts; a separate region announces them.
          aria-live="off"
          className="fixed inset-x-0 bottom-0 z-60 flex flex-col p-4 outline-none md:left-auto md:w-full md:max-w-[420px]"
        />
      </Toast.Provider>
    </div>
  )
}

/** Cut after four lines, with a button that shows the rest. */
function Description({ text }: { text: string }) {
  const [isCut, setCut] = useState(false)
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <Toast.Description
        ref={(element) => {
          if (element) setCut(element.scrollHeight > element.clientHeight)
        }}
        className={classNames('text-muted', isWhole ? 'max-h-[40dvh] overflow-y-auto' : 'line-clamp-4')}
      >
        {text}
      </Toast.Description>
      {isCut && !isWhole && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-3"
          onClick={({ currentTarget }) => {
            // The pressed button disappears.
            currentTarget.closest('li')?.focus()
            setWhole(true)
          }}
        >
          Show more
        </Button>
      )}
    </>
  )
}
