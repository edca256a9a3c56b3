import { History, Trash2 } from 'lucide-react'
import { formatMs } from '#web/lib/text/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { HistoryEntry } from './tester-history.ts'
import type { TesterRequest } from './tester-request.ts'

type HistoryMenuProps = { entries: HistoryEntry[]; onPick: (request: TesterRequest) => void; onClear: () => void }

/** The last ten requests; selecting one fills the form. */
export const HistoryMenu = ({ entries, onPick, onClear }: HistoryMenuProps) => (
  <Menu
    label="Sent requests"
    trigger={
      <Button variant="ghost" size="sm">
        <History />
        History
      </Button>
    }
  >
    {entries.length === 0 && <MenuItem disabled>Nothing sent yet</MenuItem>}
    {entries.map(({ request, status, durationMs, sentAt }) => (
      <MenuItem key={sentAt} onSelect={() => onPick(request)}>
        <StatusBadge status={status} />
        <span className="min-w-0 flex-1 truncate font-mono text-xs">
          {request.method} {request.endpoint}
        </span>
        <span className="font-mono text-xs tabular-nums">{formatMs(durationMs)}</span>
      </MenuItem>
    ))}
    {entries.length > 0 && (
      <>
        <MenuSeparator />
        <MenuItem onSelect={onClear}>
          <Trash2 aria-hidden="true" className="size-4 text-muted" />
          Clear history
        </MenuItem>
      </>
    )}
  </Menu>
)
