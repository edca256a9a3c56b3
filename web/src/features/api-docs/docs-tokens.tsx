import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, FlaskConical, Ticket } from 'lucide-react'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { secureTokensQuery } from '#web/lib/queries/secure-tokens.ts'
import { TokenPages } from '#web/lib/tokens/token-pages.tsx'
import { tokenStatus } from '#web/lib/token-status.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Name } from '#web/ui/name.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { revealTokenMutation } from './interactive-test-calls.ts'

type DocsTokensProps = { chosenId: string | null; onChoose: (chosen: { id: string; token: string }) => void }

/** The account's tokens; one can be chosen for the examples and the test. */
export function DocsTokens(props: DocsTokensProps) {
  const tokens = useInfiniteQuery(secureTokensQuery())
  return (
    <QueryView
      query={tokens}
      skeleton={<Skeleton className="h-14 w-full" />}
      errorTitle="The secure tokens could not be loaded"
    >
      {(list) =>
        list?.total ? (
          <div className="rounded-control border border-line">
            <TokenPages className="max-h-80 divide-y divide-line overflow-y-auto">
              {(token) => <TokenRow key={token.id} token={token} {...props} />}
            </TokenPages>
          </div>
        ) : (
          <EmptyState
            icon={Ticket}
            title="No secure tokens yet"
            action={
              <Button size="sm" asChild>
                <Link to="/secure-tokens" search={{ dialog: 'create' }}>
                  Create Token
                </Link>
              </Button>
            }
          >
            Every request needs one as its credential.
          </EmptyState>
        )
      }
    </QueryView>
  )
}

function TokenRow({ token, chosenId, onChoose }: DocsTokensProps & { token: SecureToken }) {
  const { mutate: reveal, isPending } = useMutation(revealTokenMutation)
  const status = tokenStatus(token)
  const usable = status === 'Active'
  return (
    <li className={classNames('flex items-center gap-3 py-1.5 pr-1.5 pl-3', !usable && 'text-muted')}>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">
            <Name text={token.name} />
          </span>
          {!usable && <Badge>{status}</Badge>}
        </p>
        <p className="truncate font-mono text-xs text-muted">{token.token}</p>
      </div>
      <Button
        size="sm"
        disabled={!usable}
        pendingText={isPending && 'Fetching...'}
        aria-label={`Use for Testing: ${token.name}`}
        onClick={() => reveal(token.id, { onSuccess: (revealed) => onChoose({ id: token.id, token: revealed.token }) })}
      >
        {chosenId === token.id ? <Check className="text-ok" /> : <FlaskConical />}
        Use for Testing
      </Button>
    </li>
  )
}
