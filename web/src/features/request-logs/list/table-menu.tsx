import { Columns3 } from 'lucide-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuCheck, MenuHeading, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { columnIds, columns, isHideable } from './log-columns.tsx'
import { initialSettings, isShown, type TableSettings } from './table-settings.ts'

const hideable = columns.flatMap((column, at) => {
  const id = columnIds[at] ?? ''
  return isHideable(id) ? [{ id, label: String(column.header) }] : []
})

type TableMenuProps = { settings: TableSettings; onChange: (settings: TableSettings) => void }

export const TableMenu = ({ settings, onChange }: TableMenuProps) => (
  <Menu
    label="Columns and density"
    className="w-48"
    trigger={<IconButton label="Columns and density" icon={<Columns3 />} className="max-md:hidden" />}
  >
    <MenuHeading>Columns</MenuHeading>
    {hideable.map(({ id, label }) => (
      <MenuCheck
        key={id}
        checked={isShown(settings, id)}
        onCheckedChange={(shown) => onChange({ ...settings, columns: { ...settings.columns, [id]: shown } })}
      >
        {label}
      </MenuCheck>
    ))}
    <MenuItem onSelect={() => onChange(initialSettings)}>Reset columns</MenuItem>
    <MenuSeparator />
    <MenuCheck
      checked={settings.density === 'dense'}
      onCheckedChange={(dense) => onChange({ ...settings, density: dense ? 'dense' : 'normal' })}
    >
      Dense rows
    </MenuCheck>
  </Menu>
)
