import { useMutation, useQuery } from '@tanstack/react-query'
import { History, Plus, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import type { Webhook } from '#schemas/webhooks.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DeleteDialog } from '#web/ui/delete-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Name } from '#web/ui/name.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { AddWebhookDialog } from './add-webhook-dialog.tsx'
import { deleteWebhookMutation, testWebhookMutation, webhooksQuery } from './alerts-queries.ts'
import { DeliveriesDialog, DeliveryBadge } from './deliveries-dialog.tsx'

export function WebhooksCard() {
  const webhooks = useQuery(webhooksQuery)
  const adding = useItemDialog<'new'>()
  const deliveries = useItemDialog<Webhook>()
  const deletion = useItemDialog<Webhook>()
  return (
    <Card
      title="Webhooks"
      description="Receivers of alerts, signed as Standard Webhooks says."
      action={
        <Button size="sm" onClick={() => adding.show('new')}>
          <Plus />
          Add Webhook
        </Button>
      }
    >
      <QueryView query={webhooks} skeleton={<RowSkeletons rows={1} />} errorTitle="The webhooks could not be loaded">
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={WebhookIcon} title="No webhooks yet">
              A webhook gets a POST request for each message, and can pass it on to a chat or a pager.
            </EmptyState>
          ) : (
            <ul aria-label="Webhooks" className="divide-y divide-line">
              {list.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onDeliveries={() => deliveries.show(webhook)}
                  onDelete={() => deletion.show(webhook)}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {adding.item && <AddWebhookDialog key={adding.key} open={adding.open} onClose={adding.close} />}
      {deliveries.item && (
        <DeliveriesDialog webhook={deliveries.item} open={deliveries.open} onClose={deliveries.close} />
      )}
      <DeleteDialog
        dialog={deletion}
        mutation={deleteWebhookMutation}
        title="Delete webhook?"
        description={({ name }) =>
          `“${visibleLine(name)}” gets nothing more: neither new alerts nor messages that wait.`
        }
        actionText="Delete Webhook"
      />
    </Card>
  )
}

type WebhookRowProps = { webhook: Webhook; onDeliveries: () => void; onDelete: () => void }

function WebhookRow({ webhook: { id, name, url, lastDelivery }, onDeliveries, onDelete }: WebhookRowProps) {
  const test = useMutation(testWebhookMutation)
  const shown = visibleLine(name)
  return (
    <li className="flex flex-col gap-2 px-4 py-3 md:flex-row md:items-center md:justify-between">
      <div className="min-w-0">
        <div className="flex items-center gap-2">
          <h3 className="min-w-0 font-medium break-words sm:truncate">
            <Name text={name} />
          </h3>
          {lastDelivery && <DeliveryBadge delivery={lastDelivery} />}
        </div>
        <p className="truncate font-mono text-xs text-muted">
          <Name text={url} />
        </p>
        {lastDelivery?.error && <p className="text-xs break-words text-danger">{visibleLine(lastDelivery.error)}</p>}
      </div>
      <div className="flex gap-2">
        <IconButton
          label={`Send a test to ${shown}`}
          icon={<Send />}
          title="Send a test"
          unavailable={test.isPending}
          onClick={() => test.mutate(id)}
        />
        <IconButton label={`Deliveries to ${shown}`} icon={<History />} title="Deliveries" onClick={onDeliveries} />
        <IconButton variant="ghost-danger" label={`Delete ${shown}`} icon={<Trash2 />} onClick={onDelete} />
      </div>
    </li>
  )
}
