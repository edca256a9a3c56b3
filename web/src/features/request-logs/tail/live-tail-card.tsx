import { ArrowUp, Radio, RotateCw } from 'lucide-react'
import { type UIEvent, useRef } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { countRequests } from '#web/lib/queries/request-logs.ts'
import { formatCount, formatCounted } from '#web/lib/text/format.ts'
import { useWideScreen } from '#web/lib/browser/media-query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LogCards } from '../list/log-cards.tsx'
import { LogTable } from '../list/log-table.tsx'
import type { TableSettings } from '../list/table-settings.ts'
import type { LiveTail } from './use-live-tail.ts'

type LiveTailCardProps = {
  tail: LiveTail
  settings: TableSettings
  onSettings: (settings: TableSettings) => void
  onOpen: (log: RequestLogSummary) => void
  /** The log whose details are shown. */
  openId: string | undefined
}

const states = {
  connecting: { tone: 'warn', text: 'Connecting' },
  live: { tone: 'ok', text: 'Live' },
  lost: { tone: 'danger', text: 'Connection lost' },
} as const

/** Requests as they are stored; scrolling down pauses the list. */
export function LiveTailCard({ tail, settings, onSettings, onOpen, openId }: LiveTailCardProps) {
  const { rows, buffered, isPaused, connection, setPaused, reconnect } = tail
  const isWide = useWideScreen()
  const scroller = useRef<HTMLElement>(null)

  function onScroll(event: UIEvent<HTMLDivElement>) {
    scroller.current = event.currentTarget
    setPaused(event.currentTarget.scrollTop > 4)
  }
  function resume() {
    // The pressed button disappears.
    scroller.current?.querySelector<HTMLElement>('table, button')?.focus()
    scroller.current?.scrollTo({ top: 0 })
    setPaused(false)
  }

  function retry() {
    document.getElementById('main')?.focus()
    reconnect()
  }

  const isLost = connection === 'lost'
  const { tone, text } = isPaused && !isLost ? ({ tone: 'neutral', text: 'Paused' } as const) : states[connection]
  return (
    <Card
      title="Request History"
      description={`${formatCounted(countRequests(rows), 'request')} since the tail began`}
      action={
        <output className="flex items-center gap-2">
          {isPaused && (
            <Button size="sm" onClick={resume}>
              <ArrowUp />
              {buffered.length > 0 ? `${formatCount(buffered.length)} new` : 'Resume'}
            </Button>
          )}
          <Badge tone={tone} dot>
            {text}
          </Badge>
          {isLost && (
            <Button size="sm" onClick={retry}>
              <RotateCw />
              Try again
            </Button>
          )}
        </output>
      }
    >
      {rows.length === 0 ? (
        <EmptyState icon={Radio} title={isLost ? 'No requests come in' : 'Waiting for requests'}>
          {isLost
            ? 'The gateway did not take the connection. Try again in a moment.'
            : 'New requests appear here the moment their logs are stored.'}
        </EmptyState>
      ) : isWide ? (
        <LogTable
          rows={rows}
          total={rows.length}
          firstIndex={0}
          settings={settings}
          onSettings={onSettings}
          sort="newest"
          onSort={undefined}
          onOpen={onOpen}
          openId={openId}
          onScroll={onScroll}
        />
      ) : (
        <LogCards rows={rows} onOpen={onOpen} onScroll={onScroll} />
      )}
    </Card>
  )
}
