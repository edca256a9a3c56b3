import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { DetailsActions } from './details-actions.tsx'
import { DetailsTabs } from './details-tabs.tsx'
import { requestLogQuery, storedLog } from '../request-logs-queries.ts'

type RequestDetailsDialogProps = {
  id: string
  /** Known when the dialog opens from a list, but not from a link. */
  summary?: RequestLogSummary | undefined
  open: boolean
  /** Beside the list instead of over it. */
  isBeside?: boolean
  tools?: ReactNode
  onClose: () => void
}

export function RequestDetailsDialog(props: RequestDetailsDialogProps) {
  const { id, summary, open, isBeside = false, tools, onClose } = props
  const details = useQuery({ ...requestLogQuery(id), enabled: open })
  const stored = storedLog(details.data)
  const log = stored ?? summary
  const content = {
    title: 'Request Details',
    tools,
    footer: <DetailsActions id={id} log={stored} onClose={onClose} />,
    description: (
      <span translate="no" className="font-mono text-xs break-words">
        {log ? `${visibleLine(log.method)} ${visibleLine(log.endpoint)}` : id}
      </span>
    ),
    children: <DetailsTabs details={details} summary={summary} />,
  }
  if (!isBeside) return <Dialog open={open} onClose={onClose} size="xl" {...content} />
  // If a refresh has removed the log from the list, the list's active row gets the focus.
  const row = () =>
    document.querySelector<HTMLElement>(`[data-log="${id}"]`) ??
    document.querySelector<HTMLElement>('[data-log][tabindex="0"]')
  return open && <SidePanel onClose={onClose} returnFocusTo={row} {...content} />
}
