import { Columns3 } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuCheck, MenuHeading, MenuSeparator } from '#web/ui/menu.tsx'
import { columns } from './log-columns.tsx'
import type { TableSettings } from './table-settings.ts'

const hideable = columns.flatMap((column) => {
  const id = column.id ?? ('accessorKey' in column ? String(column.accessorKey) : '')
  return column.enableHiding === false ? [] : [{ id, label: String(column.header) }]
})

type TableMenuProps = { settings: TableSettings; onChange: (settings: TableSettings) => void }

export const TableMenu = ({ settings, onChange }: TableMenuProps) => (
  <Menu
    label="Columns and density"
    className="w-48"
    trigger={
      <Button
        variant="ghost"
        size="icon"
        aria-label="Columns and density"
        title="Columns and density"
        className="max-md:hidden"
      >
        <Columns3 />
      </Button>
    }
  >
    <MenuHeading>Columns</MenuHeading>
    {hideable.map(({ id, label }) => (
      <MenuCheck
        key={id}
        checked={settings.columns[id] !== false}
        onCheckedChange={(shown) => onChange({ ...settings, columns: { ...settings.columns, [id]: shown } })}
      >
        {label}
      </MenuCheck>
    ))}
    <MenuSeparator />
    <MenuCheck
      checked={settings.density === 'dense'}
      onCheckedChange={(dense) => onChange({ ...settings, density: dense ? 'dense' : 'normal' })}
    >
      Dense rows
    </MenuCheck>
  </Menu>
)
