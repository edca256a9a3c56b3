import type { ApiKey } from '#schemas/api-keys.ts'
import { Badge } from '#web/ui/badge.tsx'

export const KeyBadges = ({ apiKey }: { apiKey: ApiKey }) => (
  <>
    {apiKey.isPrimary ? <Badge tone="accent">Primary</Badge> : <Badge>Backup</Badge>}
    {!apiKey.isActive && <Badge tone="warn">Inactive</Badge>}
  </>
)
