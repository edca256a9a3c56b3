import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

type ConfigHeaderProps = { edited: boolean; saving: boolean; onReset?: () => void }

export const ConfigHeader = ({ edited, saving, onReset }: ConfigHeaderProps) => (
  <PageHeader
    title="Proxy Configuration"
    description="How the proxy treats your requests."
    badge={edited && <Badge tone="warn">Unsaved Changes</Badge>}
    action={
      <div className="flex w-full gap-2 sm:w-auto">
        <Button unavailable={!edited} onClick={onReset} className="flex-1">
          Reset
        </Button>
        <Button
          type="submit"
          variant="primary"
          unavailable={!edited}
          pendingText={saving && 'Saving...'}
          className="flex-1"
        >
          Save Changes
        </Button>
      </div>
    }
  />
)
