import { ChevronDown, ChevronUp } from 'lucide-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import type { Neighbours } from './neighbours.ts'

type NeighbourButtonsProps = { neighbours: Neighbours; onMove: (to: keyof Neighbours) => void }

/** Moves through the list; the keys also work in the list. Source: product.md 10.10. */
export const NeighbourButtons = ({ neighbours, onMove }: NeighbourButtonsProps) => (
  <>
    <span className="mr-1 text-xs text-muted max-md:hidden">
      <kbd className="font-mono">J</kbd> next, <kbd className="font-mono">K</kbd> previous
    </span>
    <IconButton
      label="Previous request"
      icon={<ChevronUp />}
      aria-keyshortcuts="k"
      unavailable={!neighbours.previous}
      onClick={() => onMove('previous')}
    />
    <IconButton
      label="Next request"
      icon={<ChevronDown />}
      aria-keyshortcuts="j"
      unavailable={!neighbours.next}
      onClick={() => onMove('next')}
    />
  </>
)
