import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { Neighbours } from './neighbours.ts'

type NeighbourButtonsProps = { neighbours: Neighbours; onMove: (to: keyof Neighbours) => void }

/** Moves through the list; the keys also work in the list. Source: product.md 10.10. */
export const NeighbourButtons = ({ neighbours, onMove }: NeighbourButtonsProps) => (
  <>
    <span className="mr-1 text-xs text-muted max-md:hidden">
      <kbd className="font-mono">J</kbd> next, <kbd className="font-mono">K</kbd> previous
    </span>
    <MoveButton label="Previous request" keys="k" isLast={!neighbours.previous} onClick={() => onMove('previous')}>
      <ChevronUp />
    </MoveButton>
    <MoveButton label="Next request" keys="j" isLast={!neighbours.next} onClick={() => onMove('next')}>
      <ChevronDown />
    </MoveButton>
  </>
)

type MoveButtonProps = { label: string; keys: string; isLast: boolean; onClick: () => void; children: ReactNode }

const MoveButton = ({ label, keys, isLast, onClick, children }: MoveButtonProps) => (
  <Button
    variant="ghost"
    size="icon"
    aria-label={label}
    aria-keyshortcuts={keys}
    unavailable={isLast}
    onClick={onClick}
  >
    {children}
  </Button>
)
