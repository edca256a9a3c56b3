import { useQuery } from '@tanstack/react-query'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { DetailsActions } from './details-actions.tsx'
import { DetailsTabs } from './details-tabs.tsx'
import { requestLogQuery, storedLog } from '../request-logs-queries.ts'

type RequestDetailsDialogProps = {
  id: string
  /** Known when the dialog opens from a list, but not from a link. */
  summary?: RequestLogSummary | undefined
  open: boolean
  onClose: () => void
}

export const RequestDetailsDialog = ({ id, summary, open, onClose }: RequestDetailsDialogProps) => {
  const details = useQuery({ ...requestLogQuery(id), enabled: open })
  const stored = storedLog(details.data)
  const log = stored ?? summary
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      size="xl"
      title="Request Details"
      footer={<DetailsActions id={id} log={stored} onClose={onClose} />}
      description={
        <span className="font-mono text-xs break-all">
          {log ? `${visibleLine(log.method)} ${visibleLine(log.endpoint)}` : id}
        </span>
      }
    >
      <DetailsTabs details={details} summary={summary} />
    </Dialog>
  )
}
