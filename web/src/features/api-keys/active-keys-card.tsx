import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import type { ApiKey } from '#schemas/api-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Name } from '#web/ui/name.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton, SkeletonList } from '#web/ui/skeleton.tsx'
import { apiKeysQuery } from '#web/lib/queries/api-keys.ts'
import { KeyBadges } from './key-badges.tsx'

/** Source: product.md 10.3. */
const shownKeys = 3

export function ActiveKeysCard() {
  const keys = useQuery(apiKeysQuery)
  return (
    <Card
      title="API Keys"
      action={
        <Button variant="ghost" size="sm" asChild className="-mr-2">
          <Link to="/api-keys">Manage</Link>
        </Button>
      }
    >
      <QueryView query={keys} skeleton={<Rows />} errorTitle="The API keys could not be loaded">
        {(list) => <ActiveKeys keys={list.filter((key) => key.isActive).slice(0, shownKeys)} />}
      </QueryView>
    </Card>
  )
}

function ActiveKeys({ keys }: { keys: ApiKey[] }) {
  if (keys.length === 0) {
    return (
      <EmptyState
        icon={KeyRound}
        title="No active API keys"
        action={
          <Button size="sm" asChild>
            <Link to="/api-keys" search={{ dialog: 'add' }}>
              Add API Key
            </Link>
          </Button>
        }
      >
        The proxy needs one to forward requests.
      </EmptyState>
    )
  }
  return (
    <ul className="divide-y divide-line">
      {keys.map((apiKey) => (
        <li key={apiKey.id} className="flex h-14 items-center gap-3 px-4">
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">
              <Name text={apiKey.name} />
            </p>
            <p className="truncate font-mono text-xs text-muted">{apiKey.key}</p>
          </div>
          <KeyBadges apiKey={apiKey} />
        </li>
      ))}
    </ul>
  )
}

const Rows = () => (
  <SkeletonList rows={2} rowClassName="flex h-14 items-center gap-3 px-4">
    <div className="flex-1">
      <Skeleton className="h-3.5 w-28" />
      <Skeleton className="mt-2 h-3 w-36" />
    </div>
    <Skeleton className="h-5 w-16" />
  </SkeletonList>
)
