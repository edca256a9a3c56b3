import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiKeysQuery } from '#web/lib/queries/api-keys.ts'
import { statsQuery } from '#web/lib/queries/stats.ts'
import { toast } from '#web/lib/toast.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ValueRow } from '#web/ui/value-row.tsx'

const announceRestart = () =>
  toast({ title: 'Feature Coming Soon', description: 'Restarting the proxy from here is not available yet.' })

/** `children`: content of another feature, shown at the bottom. */
export function ProxyStatusCard({ children }: { children: ReactNode }) {
  const { isError: isAway } = useQuery(statsQuery)
  const keys = useQuery(apiKeysQuery)
  const active = keys.data?.filter((key) => key.isActive)
  const placeholder = keys.isError ? '–' : <Skeleton className="h-5 w-16" />
  return (
    <Card title="Proxy Status">
      <dl className="divide-y divide-line px-4">
        <ValueRow label="Server Status">
          <Badge tone={isAway ? 'danger' : 'ok'} dot>
            {isAway ? 'Unreachable' : 'Running'}
          </Badge>
        </ValueRow>
        <ValueRow label="API Keys">{active ? `${active.length} active` : placeholder}</ValueRow>
        <ValueRow label="Primary Key">
          {active ? <PrimaryKey set={active.some((key) => key.isPrimary)} /> : placeholder}
        </ValueRow>
      </dl>
      <div className="border-t border-line p-4">
        <Button className="w-full" onClick={announceRestart}>
          <RotateCw />
          Restart Proxy
        </Button>
      </div>
      {children}
    </Card>
  )
}

const PrimaryKey = ({ set }: { set: boolean }) => (
  <Badge tone={set ? 'ok' : 'warn'}>{set ? 'Configured' : 'Not set'}</Badge>
)
