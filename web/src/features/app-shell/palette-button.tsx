import { Search } from 'lucide-react'

const shortcut = navigator.userAgent.includes('Mac') ? '⌘K' : 'Ctrl K'

export const PaletteButton = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    className="mx-3 flex h-11 shrink-0 items-center gap-2 rounded-control border border-line px-3 text-muted transition-colors hover:bg-subtle hover:text-fg md:h-8.5"
  >
    <Search aria-hidden="true" className="size-4 shrink-0" />
    Search
    <kbd aria-hidden="true" className="ml-auto font-sans text-xs">
      {shortcut}
    </kbd>
  </button>
)
