import { useQuery } from '@tanstack/react-query'
import type { DeadLetter } from '#schemas/pipeline.ts'
import { formatJson } from '#web/lib/text/format.ts'
import { visibleLine, visibleText } from '#web/lib/text/visible-text.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextViewer } from '#web/ui/text-viewer.tsx'
import { deadLetterQuery } from './pipeline-queries.ts'

type DeadLetterDialogProps = { letter: DeadLetter; open: boolean; onClose: () => void }

export function DeadLetterDialog({ letter, open, onClose }: DeadLetterDialogProps) {
  const details = useQuery({ ...deadLetterQuery(letter.id), enabled: open })
  return (
    <Dialog open={open} onClose={onClose} size="lg" title="Dead letter" description={visibleLine(letter.reason)}>
      <QueryView
        query={details}
        skeleton={<Skeleton className="h-40 w-full" />}
        errorTitle="The dead letter could not be loaded"
      >
        {({ lines }) =>
          lines.length === 0 ? (
            <p className="text-muted">The batch can’t be read, so its events can’t be shown.</p>
          ) : (
            <ul className="flex flex-col gap-4">
              {lines.map(({ line, reason }, index) => (
                <li key={line} className="flex flex-col gap-1.5">
                  <p className="text-danger">{visibleLine(reason)}</p>
                  <TextViewer label={`event ${index + 1}`} text={visibleText(formatJson(line))} language="json" />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Dialog>
  )
}
