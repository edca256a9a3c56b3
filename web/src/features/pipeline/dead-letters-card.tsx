import { useMutation, useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import type { DeadLetter } from '#schemas/pipeline.ts'
import { formatCounted } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { DeleteDialog } from '#web/ui/delete-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { useFocusHeir } from '#web/ui/use-focus-heir.ts'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { DeadLetterDialog } from './dead-letter-dialog.tsx'
import { deadLettersQuery, dropMutation, requeueMutation } from './pipeline-queries.ts'

/** Events that could not be stored, kept until an operator replays or drops them. */
export function DeadLettersCard() {
  const letters = useQuery(deadLettersQuery)
  const { mutate: requeue, isPending: isRequeuing } = useMutation(requeueMutation)
  const details = useItemDialog<DeadLetter>()
  const removal = useItemDialog<DeadLetter>()
  return (
    <Card title="Dead letters" description="Events that could not be stored, with the reason">
      <div tabIndex={-1} className="outline-none">
        <QueryView
          query={letters}
          skeleton={<RowSkeletons rows={2} />}
          errorTitle="The dead letters could not be loaded"
        >
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon={MailCheck} title="No dead letters">
                Every event that came could be stored.
              </EmptyState>
            ) : (
              <ul className="divide-y divide-line">
                {list.map((letter) => (
                  <DeadLetterRow
                    key={letter.id}
                    letter={letter}
                    isRequeuing={isRequeuing}
                    onShow={() => details.show(letter)}
                    onRequeue={() => requeue(letter.id)}
                    onDrop={() => removal.show(letter)}
                  />
                ))}
              </ul>
            )
          }
        </QueryView>
      </div>
      {details.item && <DeadLetterDialog letter={details.item} open={details.open} onClose={details.close} />}
      <DeleteDialog
        dialog={removal}
        mutation={dropMutation}
        title="Drop this dead letter?"
        description={() => 'What is in it is gone for good, and the logs of those requests with it.'}
        actionText="Drop"
        pendingText="Dropping..."
      />
    </Card>
  )
}

type DeadLetterRowProps = {
  letter: DeadLetter
  isRequeuing: boolean
  onShow: () => void
  onRequeue: () => void
  onDrop: () => void
}

function DeadLetterRow({ letter, isRequeuing, onShow, onRequeue, onDrop }: DeadLetterRowProps) {
  const row = useFocusHeir<HTMLLIElement>('[tabindex]')
  return (
    <li ref={row} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="break-words">{visibleLine(letter.reason)}</p>
        <p className="text-xs text-muted">
          {letter.kind === 'batch' ? 'A batch' : formatCounted(letter.events, 'event')} ·{' '}
          <DateTime value={letter.failedAt} />
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" onClick={onShow}>
          Show
        </Button>
        <Button size="sm" unavailable={isRequeuing} onClick={onRequeue}>
          Replay
        </Button>
        <Button size="sm" variant="ghost-danger" onClick={onDrop}>
          Drop
        </Button>
      </div>
    </li>
  )
}
