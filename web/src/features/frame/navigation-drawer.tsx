import { Menu, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import type { User } from '#schemas/account.ts'
import { product } from '#schemas/product.ts'
import { Button } from '#web/ui/button.tsx'
import { scrimStyle } from '#web/ui/dialog.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Sidebar } from './sidebar.tsx'

// Left to itself, focus skips links and lands on the theme toggle in the footer.
function focusCurrentLink(event: Event) {
  const drawer = event.currentTarget
  if (!(drawer instanceof HTMLElement)) return
  event.preventDefault()
  const link = drawer.querySelector<HTMLElement>('[aria-current=page]')
  ;(link ?? drawer).focus()
}

type NavigationDrawerProps = { user: User; onOpenPalette: () => void }

/** The bar of small screens and the drawer that its menu button opens. */
export function NavigationDrawer({ user, onOpenPalette }: NavigationDrawerProps) {
  const [open, setOpen] = useState(false)
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-surface px-2 md:hidden">
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <Button variant="ghost" size="icon" aria-label="Open menu">
            <Menu />
          </Button>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className={scrimStyle} />
          <Dialog.Content
            aria-describedby={undefined}
            onOpenAutoFocus={focusCurrentLink}
            className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] border-r border-line bg-surface outline-none data-[state=closed]:animate-drawer-out data-[state=open]:animate-drawer-in"
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <Sidebar
              user={user}
              onNavigate={() => setOpen(false)}
              onOpenPalette={() => {
                setOpen(false)
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
      <Logo />
      <span className="font-semibold">{product.name}</span>
    </header>
  )
}
