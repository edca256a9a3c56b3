import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { useExtraWideScreen } from '#web/lib/browser/media-query.ts'
import { typedInto } from '#web/lib/browser/typed-into.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { NeighbourButtons } from './neighbour-buttons.tsx'
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
