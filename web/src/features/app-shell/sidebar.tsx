import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import type { User } from '#schemas/account.ts'
import { product } from '#schemas/product.ts'
import { isPaletteOpen } from '#web/lib/palette.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { Logo } from '#web/ui/logo.tsx'
import { SidebarFooter } from './sidebar-footer.tsx'
import { sidebarLinks } from './sidebar-links.ts'

const linkStyle = classNames(
  'group flex h-11 items-center gap-3 rounded-control px-3 font-medium transition-colors duration-150 md:h-8.5',
  'hover:bg-subtle aria-[current=page]:bg-subtle aria-[current=page]:text-accent',
)

type SidebarProps = { user: User; onNavigate?: () => void }

/** Used in both the fixed column and the drawer; `onNavigate` closes the drawer. */
export const Sidebar = ({ user, onNavigate }: SidebarProps) => (
  <div className="flex h-full flex-col short:overflow-y-auto">
    <div className="flex h-16 shrink-0 items-center gap-2.5 px-5">
      <Logo />
      <div className="leading-tight">
        <p className="font-semibold">{product.name}</p>
        <p className="text-xs text-muted">{product.tagline}</p>
      </div>
    </div>
    <PaletteButton onOpen={onNavigate} />
    <nav aria-label="Main" className="flex-1 overflow-y-auto px-2 py-3 short:flex-none short:overflow-visible">
      <ul className="flex flex-col gap-0.5">
        {sidebarLinks(user).map(({ label, to, icon: Icon }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/' }} onClick={onNavigate} className={linkStyle}>
              <Icon
                aria-hidden="true"
                className="size-4 shrink-0 text-muted group-hover:text-fg group-aria-[current=page]:text-accent"
              />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
    <SidebarFooter user={user} onNavigate={onNavigate} />
  </div>
)

const shortcut = navigator.userAgent.includes('Mac') ? '⌘K' : 'Ctrl K'

const PaletteButton = ({ onOpen }: { onOpen: (() => void) | undefined }) => (
  <button
    type="button"
    onClick={() => {
      onOpen?.()
      isPaletteOpen.write(true)
    }}
    className="mx-3 flex h-11 shrink-0 items-center gap-2 rounded-control border border-line px-3 text-muted transition-colors hover:bg-subtle hover:text-fg md:h-8.5"
  >
    <Search aria-hidden="true" className="size-4 shrink-0" />
    Search
    <kbd aria-hidden="true" className="ml-auto font-sans text-xs">
      {shortcut}
    </kbd>
  </button>
)
