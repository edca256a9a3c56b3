import { useQuery } from '@tanstack/react-query'
import { formatMeasure } from '#schemas/alert-texts.ts'
import type { Alert } from '#schemas/alerts.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { alertHistoryQuery } from './alerts-queries.ts'
import { stateLabels } from './alert-state-badge.tsx'
import { useGroupName } from './use-group-name.ts'

type AlertHistoryDialogProps = { alert: Alert; open: boolean; onClose: () => void }

export const AlertHistoryDialog = ({ alert, open, onClose }: AlertHistoryDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={`History of ${visibleLine(alert.name)}`}
    description="The last 200 changes of state, newest first."
  >
    <Changes alertId={alert.id} />
  </Dialog>
)

function Changes({ alertId }: { alertId: string }) {
  const history = useQuery(alertHistoryQuery(alertId))
  const nameOf = useGroupName(history.data?.map(({ group }) => group) ?? [])
  return (
    <QueryView query={history} skeleton={<RowSkeletons rows={3} />} errorTitle="The history could not be loaded">
      {(changes) =>
        changes.length === 0 ? (
          <p className="py-6 text-center text-muted">It has not changed yet.</p>
        ) : (
          <ul className="divide-y divide-line">
            {changes.map(({ id, group, groupedBy, from, to, measure, value, at }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
                <span className="min-w-0 break-words">
                  {stateLabels[from]} → <strong>{stateLabels[to]}</strong>
                  {(groupedBy !== null || measure === 'budget') && ` · ${nameOf({ measure, group: groupedBy }, group)}`}
                </span>
                <span className="text-muted tabular-nums">
                  {formatMeasure(measure, value)} · <DateTime value={at} precision="minute" />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}
