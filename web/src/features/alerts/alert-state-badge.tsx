import type { Alert } from '#schemas/alerts.ts'
import { Badge } from '#web/ui/badge.tsx'

export const stateLabels = { ok: 'OK', firing: 'Firing', 'no-data': 'No data' }
const tones = { ok: 'ok', firing: 'danger', 'no-data': 'warn' } as const

export function AlertStateBadge({ alert: { enabled, state, groups } }: { alert: Alert }) {
  if (!enabled) return <Badge>Off</Badge>
  if (state === null) return <Badge>Not evaluated yet</Badge>
  const firing = groups.filter((group) => group.state === 'firing').length
  return (
    <Badge tone={tones[state]} dot>
      {stateLabels[state]}
      {firing > 1 && ` (${firing})`}
    </Badge>
  )
}
