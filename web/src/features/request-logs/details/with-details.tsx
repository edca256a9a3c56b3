import { ChevronDown, ChevronUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { useExtraWideScreen } from '#web/lib/browser/media-query.ts'
import { typedInto } from '#web/lib/browser/typed-into.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import type { Neighbours } from './neighbours.ts'
import { RequestDetailsDialog } from './request-details-dialog.tsx'

const keys: Partial<Record<string, keyof Neighbours>> = { j: 'next', k: 'previous' }

type WithDetailsProps = {
  /** The log whose details are shown. */
  openId: string | undefined
  /** The listed logs, once they are loaded. */
  rows: readonly RequestLogSummary[] | undefined
  neighbours: Neighbours | undefined
  onChange: (change: Pick<LogSearch, 'log' | 'page'>) => void
  children: ReactNode
}

/** A list with the details of one of its logs: beside it if there is room, else over it. */
export function WithDetails({ openId, rows, neighbours, onChange, children }: WithDetailsProps) {
  const isBeside = useExtraWideScreen()
  // A closing dialog still shows its log.
  const [shown, setShown] = useState(openId)
  if (openId && openId !== shown) setShown(openId)

  function move(to: keyof Neighbours) {
    const neighbour = neighbours?.[to]
    if (neighbour) onChange(neighbour)
  }

  function onKeyDown(event: KeyboardEvent) {
    const to = keys[event.key]
    if (!to || !openId || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.target instanceof Element && event.target.closest(typedInto)) return
    move(to)
  }

  return (
    <div role="presentation" onKeyDown={onKeyDown} className="flex items-start gap-4">
      <div className="min-w-0 flex-1">{children}</div>
      {shown && (
        <RequestDetailsDialog
          id={shown}
          summary={rows?.find((log) => log.id === shown)}
          open={openId !== undefined}
          isBeside={isBeside}
          tools={neighbours && <NeighbourButtons neighbours={neighbours} onMove={move} />}
          onClose={() => onChange({ log: undefined })}
        />
      )}
    </div>
  )
}

type NeighbourButtonsProps = { neighbours: Neighbours; onMove: (to: keyof Neighbours) => void }

/** Moves through the list; the keys also work in the list. Source: product.md 10.10. */
const NeighbourButtons = ({ neighbours, onMove }: NeighbourButtonsProps) => (
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
