import { Link } from '@tanstack/react-router'
import { Ticket } from 'lucide-react'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { TokenPages } from '#web/lib/tokens/token-pages.tsx'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { DeleteDialog } from '#web/ui/delete-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { EditTokenDialog } from './edit-token-dialog.tsx'
import { HowToUse } from './how-to-use.tsx'
import { RotateTokenDialog } from './rotate-token-dialog.tsx'
import { deleteTokenMutation } from './secure-tokens-mutations.ts'
import { TokenCard } from './token-card.tsx'

export function TokenList({ isEmpty }: { isEmpty: boolean }) {
  const edition = useItemDialog<SecureToken>()
  const rotation = useItemDialog<SecureToken>()
  const deletion = useItemDialog<SecureToken>()
  return (
    <>
      {isEmpty ? (
        <Panel>
          <EmptyState
            icon={Ticket}
            title="No secure tokens yet"
            action={
              <Button size="sm" asChild>
                <Link to="/secure-tokens" search={{ dialog: 'create' }} replace>
                  Create Your First Token
                </Link>
              </Button>
            }
          >
            Create one for every application that sends requests through the proxy.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <div>
            <TokenPages className="grid grid-cols-1 gap-4 lg:grid-cols-2" searchClassName="pb-4">
              {(token) => (
                <TokenCard
                  key={token.id}
                  token={token}
                  onEdit={() => edition.show(token)}
                  onRotate={() => rotation.show(token)}
                  onDelete={() => deletion.show(token)}
                />
              )}
            </TokenPages>
          </div>
          <HowToUse />
        </>
      )}
      {edition.item && <EditTokenDialog token={edition.item} open={edition.open} onClose={edition.close} />}
      {rotation.item && (
        <RotateTokenDialog key={rotation.key} token={rotation.item} open={rotation.open} onClose={rotation.close} />
      )}
      <DeleteDialog
        dialog={deletion}
        mutation={deleteTokenMutation}
        title="Delete secure token?"
        description={({ name }) =>
          `Clients that use “${visibleLine(name)}” are rejected from now on. This can’t be undone.`
        }
        actionText="Delete Token"
      />
    </>
  )
}
