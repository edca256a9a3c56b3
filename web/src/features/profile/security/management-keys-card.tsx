import { useQuery } from '@tanstack/react-query'
import { KeySquare, Plus, Trash2 } from 'lucide-react'
import type { ManagementKey } from '#schemas/management-keys.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { DeleteDialog } from '#web/ui/delete-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Name } from '#web/ui/name.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { CreateManagementKeyDialog } from './create-management-key-dialog.tsx'
import { deleteManagementKeyMutation, managementKeysQuery } from './management-keys-queries.ts'

export function ManagementKeysCard() {
  const keys = useQuery(managementKeysQuery)
  const creation = useItemDialog<'new'>()
  const deletion = useItemDialog<ManagementKey>()
  return (
    <Card
      title="Management Keys"
      description="For scripts that do what these screens do"
      action={
        <Button size="sm" onClick={() => creation.show('new')}>
          <Plus />
          Create Key
        </Button>
      }
    >
      <QueryView query={keys} skeleton={<RowSkeletons rows={1} />} errorTitle="The keys could not be loaded">
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={KeySquare} title="No management keys yet">
              A script sends one as its bearer credential to this site’s API. It can’t call the proxy.
            </EmptyState>
          ) : (
            <ul aria-label="Management keys" className="divide-y divide-line">
              {list.map((key) => (
                <ManagementKeyRow key={key.id} managementKey={key} onDelete={() => deletion.show(key)} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {creation.item && <CreateManagementKeyDialog key={creation.key} open={creation.open} onClose={creation.close} />}
      <DeleteDialog
        dialog={deletion}
        mutation={deleteManagementKeyMutation}
        title="Delete management key?"
        description={({ name }) => `Scripts that use “${visibleLine(name)}” are rejected from now on.`}
        actionText="Delete Key"
      />
    </Card>
  )
}

function ManagementKeyRow({ managementKey, onDelete }: { managementKey: ManagementKey; onDelete: () => void }) {
  const { name, maskedKey, scopes, expiresAt, lastUsedAt } = managementKey
  return (
    <li className="flex items-center justify-between gap-3 px-4 py-3">
      <div className="min-w-0">
        <h3 className="font-medium break-words sm:truncate">
          <Name text={name} />
        </h3>
        <p className="font-mono text-xs text-muted">{maskedKey}</p>
        <p className="text-xs text-muted">{scopes.map((scope) => scope.replace(':', ': ')).join(' · ')}</p>
        <p className="text-xs text-muted">
          Expires <DateTime value={expiresAt} precision="day" /> · Used{' '}
          <DateTime value={lastUsedAt} precision="minute" empty="never" />
        </p>
      </div>
      <IconButton variant="ghost-danger" label={`Delete ${visibleLine(name)}`} icon={<Trash2 />} onClick={onDelete} />
    </li>
  )
}
