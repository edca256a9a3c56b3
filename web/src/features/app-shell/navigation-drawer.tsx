import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { User } from '#schemas/account.ts'
import { Button } from '#web/ui/button.tsx'
import { useReturnFocus } from '#web/ui/dialog-focus.ts'
import { scrimStyle } from '#web/ui/dialog.tsx'
import { useLayer } from '#web/ui/use-layer.ts'
import { Sidebar } from './sidebar.tsx'

// By default focus skips the links and goes to the theme toggle in the footer.
function focusCurrentLink(event: Event) {
  const drawer = event.currentTarget
  if (!(drawer instanceof HTMLElement)) return
  event.preventDefault()
  const link = drawer.querySelector<HTMLElement>('[aria-current=page]')
  ;(link ?? drawer).focus()
}

type NavigationDrawerProps = {
  user: User
  open: boolean
  onOpenChange: (open: boolean) => void
  onOpenPalette: () => void
}

/** Opened by the menu button of small screens. */
export function NavigationDrawer({ user, open, onOpenChange, onOpenPalette }: NavigationDrawerProps) {
  const returnFocus = useReturnFocus()
  const close = () => onOpenChange(false)
  useLayer(open, close)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimStyle} />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus(event)
            focusCurrentLink(event)
          }}
          onCloseAutoFocus={returnFocus.onCloseAutoFocus}
          className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] border-r border-line bg-surface outline-none data-[state=closed]:animate-drawer-out data-[state=open]:animate-drawer-in"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Sidebar
            user={user}
            onNavigate={close}
            onOpenPalette={() => {
              close()
              onOpenPalette()
            }}
          />
          <Dialog.Close asChild>
            <Button variant="ghost" size="icon" aria-label="Close menu" className="absolute top-2.5 right-2">
              <X />
            </Button>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
