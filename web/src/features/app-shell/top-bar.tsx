import { Menu } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { User } from '#schemas/account.ts'
import { product } from '#schemas/product.ts'
import { useEver } from '#web/lib/use-ever.ts'
import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'

const NavigationDrawer = lazy(async () => ({ default: (await import('./navigation-drawer.tsx')).NavigationDrawer }))

type TopBarProps = { user: User; onOpenPalette: () => void }

/** The bar of small screens, with the button that opens the drawer. */
export function TopBar({ user, onOpenPalette }: TopBarProps) {
  const [open, setOpen] = useState(false)
  // Stays mounted after the first opening, so that it can slide out again.
  const wasOpened = useEver(open)
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-surface px-2 md:hidden print:hidden">
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu />
      </Button>
      {wasOpened && (
        <Suspense>
          <NavigationDrawer user={user} open={open} onClose={() => setOpen(false)} onOpenPalette={onOpenPalette} />
        </Suspense>
      )}
      <Logo />
      <span className="font-semibold">{product.name}</span>
    </header>
  )
}
