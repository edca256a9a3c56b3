import { useMutation } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Download, Eye } from 'lucide-react'
import { type UIEventHandler, useRef, useState } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { fontScale } from '#web/lib/browser/font-scale.ts'
import { formatMs } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { RequestStatus } from '../details/request-status.tsx'
import { RequestCount } from './request-count.tsx'
import { downloadMutation } from '../details/download-log.ts'

/** px in the usual font. */
const cardHeight = 72

type LogCardsProps = {
  rows: RequestLogSummary[]
  onOpen: (log: RequestLogSummary) => void
  /** When set, the list scrolls in its own container instead of with the page. */
  onScroll?: UIEventHandler<HTMLDivElement> | undefined
}

/** Replaces the table on small screens. */
export function LogCards({ rows, onOpen, onScroll }: LogCardsProps) {
  const { mutate: download } = useMutation(downloadMutation)
  const scroller = useRef<HTMLDivElement>(null)
  const [scale] = useState(fontScale)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight * scale,
    overscan: 8,
  })
  return (
    <div ref={scroller} onScroll={onScroll} className={onScroll && 'h-[70dvh] overflow-auto'}>
      <ul aria-label="Request history" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const log = rows[index]
          return (
            log && (
              <li
                key={log.id}
                className="absolute inset-x-0 top-0 flex h-18 items-center border-b border-line pr-1"
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  onClick={() => onOpen(log)}
                  className="flex h-full min-w-0 flex-1 items-center gap-3 pl-4 text-left focus-visible:-outline-offset-2"
                >
                  <span className="min-w-0 flex-1">
                    <span translate="no" className="line-clamp-2 font-mono text-xs break-all">
                      <span className="font-semibold">{visibleLine(log.method)}</span> {visibleLine(log.endpoint)}
                      <RequestCount log={log} />
                    </span>
                    <span className="mt-1 flex items-center gap-2 text-xs text-muted">
                      <RequestStatus log={log} isShort />
                      <span className="shrink-0 font-mono text-fg tabular-nums">{formatMs(log.responseTime)}</span>
                      <span className="truncate">
                        <DateTime value={log.createdAt} />
                      </span>
                    </span>
                  </span>
                  <Eye aria-hidden="true" className="size-4 shrink-0 text-muted" />
                  <span className="sr-only">View details</span>
                </button>
                <IconButton
                  label={`Download as JSON: request ${index + 1}`}
                  icon={<Download />}
                  onClick={() => download(log.id)}
                />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
