import { Download } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { exportUrl } from '../request-logs-queries.ts'

/** Downloads all logs that match the filters; the server streams them. */
export const ExportMenu = ({ search }: { search: LogSearch }) => (
  <Menu
    label="Export"
    className="w-56"
    trigger={
      <Button>
        <Download />
        Export
      </Button>
    }
  >
    <MenuItem asChild>
      <a href={exportUrl(search, 'csv')} download>
        CSV, for spreadsheets
      </a>
    </MenuItem>
    <MenuItem asChild>
      <a href={exportUrl(search, 'jsonl')} download>
        JSONL, for programs
      </a>
    </MenuItem>
  </Menu>
)
