import { SearchCheck, ZoomIn } from 'lucide-react'
import { formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Menu, MenuHeading, MenuItem } from '#web/ui/menu.tsx'
import type { Comparison } from './comparison.ts'

/** A range brushed in a chart, and the position in the window where the drag ended, px. */
export type Brush = { from: string; to: string; measure: Comparison['measure']; x: number; y: number }

type BrushMenuProps = { brush: Brush; onZoom: () => void; onCompare: () => void; onClose: () => void }

export function BrushMenu({ brush, onZoom, onCompare, onClose }: BrushMenuProps) {
  const zone = useTimeZone()
  return (
    <Menu
      label="Chosen time"
      className="w-64"
      isOpenAtFirst
      onClose={onClose}
      trigger={<span aria-hidden="true" className="fixed" style={{ left: brush.x, top: brush.y }} />}
    >
      <MenuHeading>
        {formatTime('hour', brush.from, zone)} to {formatTime('hour', brush.to, zone)}
      </MenuHeading>
      <MenuItem onSelect={onZoom}>
        <ZoomIn aria-hidden="true" className="size-4" />
        Zoom in
      </MenuItem>
      <MenuItem onSelect={onCompare}>
        <SearchCheck aria-hidden="true" className="size-4" />
        What changed?
      </MenuItem>
    </Menu>
  )
}
