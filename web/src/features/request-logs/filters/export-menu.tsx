import { Download } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { exportUrl, type ExportKind } from '../request-logs-queries.ts'

const kinds: { label: string; kind: ExportKind }[] = [
  { label: 'CSV', kind: { format: 'csv' } },
  // Excel reads UTF-8 only after a byte order mark.
  { label: 'CSV, for spreadsheets', kind: { format: 'csv', bom: 'true' } },
  { label: 'JSONL, for programs', kind: { format: 'jsonl' } },
  { label: 'Parquet, for data tools', kind: { format: 'parquet' } },
]

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
    {kinds.map(({ label, kind }) => (
      <MenuItem key={label} asChild>
        <a href={exportUrl(search, kind)} download>
          {label}
        </a>
      </MenuItem>
    ))}
  </Menu>
)
