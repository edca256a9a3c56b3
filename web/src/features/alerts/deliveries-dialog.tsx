import { useQuery } from '@tanstack/react-query'
import type { Webhook, WebhookDelivery } from '#schemas/webhooks.ts'
import { formatCounted } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { deliveriesQuery } from './alerts-queries.ts'

const states = {
  waiting: { label: 'Waiting', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'ok' },
  failed: { label: 'Failed', tone: 'danger' },
} as const

export const DeliveryBadge = ({ delivery: { state, status } }: { delivery: WebhookDelivery }) => (
  <Badge tone={states[state].tone}>
    {states[state].label}
    {status !== null && ` (${status})`}
  </Badge>
)

type DeliveriesDialogProps = { webhook: Webhook; open: boolean; onClose: () => void }

export const DeliveriesDialog = ({ webhook, open, onClose }: DeliveriesDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={`Deliveries to ${visibleLine(webhook.name)}`}
    description="The last 50 messages, newest first. They are kept for 30 days."
  >
    <Deliveries id={webhook.id} />
  </Dialog>
)

function Deliveries({ id }: { id: string }) {
  const deliveries = useQuery(deliveriesQuery(id))
  return (
    <QueryView query={deliveries} skeleton={<RowSkeletons rows={3} />} errorTitle="The deliveries could not be loaded">
      {(list) =>
        list.length === 0 ? (
          <p className="py-6 text-center text-muted">Nothing was sent yet.</p>
        ) : (
          <ul className="divide-y divide-line">
            {list.map((delivery) => (
              <li key={delivery.id} className="py-2">
                <div className="flex flex-wrap items-center justify-between gap-x-4">
                  <span className="flex items-center gap-2">
                    <span className="font-mono text-xs">{delivery.type}</span>
                    <DeliveryBadge delivery={delivery} />
                  </span>
                  <span className="text-xs text-muted">
                    <DateTime value={delivery.createdAt} />
                  </span>
                </div>
                <p className="text-xs break-words text-muted">
                  {formatCounted(delivery.attempts, 'attempt')}
                  {delivery.error && ` · ${visibleLine(delivery.error)}`}
                  {delivery.nextAttemptAt !== null && (
                    <>
                      {' · '}next at <DateTime value={delivery.nextAttemptAt} />
                    </>
                  )}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}
