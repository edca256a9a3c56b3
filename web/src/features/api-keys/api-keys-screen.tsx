import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import type { ApiKey } from '#schemas/api-keys.ts'
import { provider } from '#schemas/product.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { DeleteDialog } from '#web/ui/delete-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LongList } from '#web/ui/long-list.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { AddKeyDialog } from './add-key-dialog.tsx'
import { ApiKeyRow } from './api-key-row.tsx'
import { apiKeysQuery } from '#web/lib/queries/api-keys.ts'
import { apiKeyStatesQuery, deleteKeyMutation } from './api-keys-queries.ts'
import { RenameKeyDialog } from './rename-key-dialog.tsx'

export function ApiKeysScreen() {
  const keys = useQuery(apiKeysQuery)
  const states = useQuery(apiKeyStatesQuery)
  const renaming = useItemDialog<ApiKey>()
  const deletion = useItemDialog<ApiKey>()
  return (
    <>
      <PageHeader
        title="API Keys"
        description={`The ${provider.name} keys that the proxy uses on your behalf.`}
        action={<AddKeyDialog />}
      />
      <Panel>
        <QueryView query={keys} skeleton={<RowSkeletons rows={3} />} errorTitle="The API keys could not be loaded">
          {(list) =>
            list.length === 0 ? (
              <EmptyState
                icon={KeyRound}
                title="No API keys yet"
                action={
                  <Button size="sm" asChild>
                    <Link to="/api-keys" search={{ dialog: 'add' }} replace>
                      Add Your First Key
                    </Link>
                  </Button>
                }
              >
                Add a provider key, so that the proxy can forward requests. The first one becomes primary.
              </EmptyState>
            ) : (
              <LongList items={list} label="API keys" className="divide-y divide-line">
                {(apiKey) => (
                  <ApiKeyRow
                    key={apiKey.id}
                    apiKey={apiKey}
                    state={states.data?.find(({ id }) => id === apiKey.id)}
                    onRename={() => renaming.show(apiKey)}
                    onDelete={() => deletion.show(apiKey)}
                  />
                )}
              </LongList>
            )
          }
        </QueryView>
      </Panel>
      {renaming.item && <RenameKeyDialog apiKey={renaming.item} open={renaming.open} onClose={renaming.close} />}
      <DeleteDialog
        dialog={deletion}
        mutation={deleteKeyMutation}
        title="Delete API key?"
        description={({ name }) =>
          `“${visibleLine(name)}” is removed from the gateway for good. The key at your provider stays as it is.`
        }
        actionText="Delete Key"
      >
        {deletion.item?.isPrimary && (
          <Notice tone="warn" title="This is your primary key">
            Proxy requests may fail until you set another key as primary.
          </Notice>
        )}
      </DeleteDialog>
    </>
  )
}
