import { Menu } from 'lucide-react'
import { useState } from 'react'
import type { User } from '#schemas/account.ts'
import { product } from '#schemas/product.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { Logo } from '#web/ui/logo.tsx'

const NavigationDrawer = lazyDialog(async () => (await import('./navigation-drawer.tsx')).NavigationDrawer)

/** The bar of small screens, with the button that opens the drawer. */
export function TopBar({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-surface px-2 md:hidden print:hidden">
      <IconButton
        label="Open menu"
        icon={<Menu />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      />
      <NavigationDrawer user={user} open={open} onClose={() => setOpen(false)} />
      <Logo />
      <span className="font-semibold">{product.name}</span>
    </header>
  )
}
