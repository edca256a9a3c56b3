import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { Alert } from '#schemas/alerts.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { DeleteDialog } from '#web/ui/delete-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { AlertHistoryDialog } from './alert-history-dialog.tsx'
import { AlertDialog } from './alert-dialog.tsx'
import { fromDraft, readDraft, settingsOf } from './alert-settings.ts'
import { AlertRows } from './alert-rows.tsx'
import { alertsQuery, deleteAlertMutation } from './alerts-queries.ts'
import { WebhooksCard } from './webhooks-card.tsx'

/** The account's alerts and webhooks. A `draft` in the URL opens the dialog for a new alert. */
export function AlertsScreen() {
  const { draft } = useSearch({ from: '/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const alerts = useQuery(alertsQuery)
  const editing = useItemDialog<Alert>()
  const history = useItemDialog<Alert>()
  const deletion = useItemDialog<Alert>()
  const read = draft === undefined ? undefined : readDraft(draft)
  const setDraft = (next: object | undefined) =>
    void navigate({
      search: next === undefined ? {} : { draft: next },
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    })
  const add = () => setDraft({})
  return (
    <>
      <PageHeader
        title="Alerts"
        description="Tells you by mail and webhook when errors, times, cost or requests leave their limits."
        action={
          <Button variant="primary" onClick={add}>
            <Plus />
            Add Alert
          </Button>
        }
      />
      {draft !== undefined && !read && (
        <Notice tone="warn">The alert in this link can’t be read: its measure, filters or group are not valid.</Notice>
      )}
      <QueryView
        query={alerts}
        skeleton={
          <Panel>
            <RowSkeletons rows={3} />
          </Panel>
        }
        errorTitle="The alerts could not be loaded"
      >
        {({ alerts: list }) => (
          <AlertRows
            alerts={list}
            loadedAt={alerts.dataUpdatedAt}
            onAdd={add}
            onEdit={editing.show}
            onHistory={history.show}
            onDelete={deletion.show}
          />
        )}
      </QueryView>
      <WebhooksCard />
      <AlertDialog
        key={JSON.stringify(draft ?? null)}
        alertId={null}
        settings={fromDraft(read ?? {})}
        search={read?.search}
        open={read !== undefined}
        onClose={() => setDraft(undefined)}
      />
      {editing.item && (
        <AlertDialog
          key={editing.item.id}
          alertId={editing.item.id}
          settings={settingsOf(editing.item)}
          open={editing.open}
          onClose={editing.close}
        />
      )}
      {history.item && <AlertHistoryDialog alert={history.item} open={history.open} onClose={history.close} />}
      <DeleteDialog
        dialog={deletion}
        mutation={deleteAlertMutation}
        title="Delete alert?"
        description={({ name }) =>
          `“${visibleLine(name)}” and its history are deleted. Nothing more is sent, not even that it is resolved.`
        }
        actionText="Delete Alert"
      />
    </>
  )
}
