import { useQuery } from '@tanstack/react-query'
import { Badge } from '#web/ui/badge.tsx'
import { statsQuery } from '#web/lib/queries/stats.ts'

/** Whether the gateway responds to this screen's polling. */
export function OnlineBadge() {
  const { isError } = useQuery(statsQuery)
  return (
    <output>
      <Badge tone={isError ? 'danger' : 'ok'} dot>
        {isError ? 'Offline' : 'Online'}
      </Badge>
    </output>
  )
}
