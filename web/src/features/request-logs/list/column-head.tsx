import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import type { LogOrder } from '#web/lib/log-filters/log-search.ts'
import { columnLayout, columnOrders, numericStyle } from './log-columns.tsx'
import { narrowest, widest } from './table-settings.ts'

type ColumnHeadProps = {
  id: string
  name: string
  /** px; the column that takes the remaining width is wider. */
  width: number
  sort: LogOrder
  onSort: ((sort: LogOrder) => void) | undefined
  /** `isDone`: false during a drag. */
  onResize: (width: number, isDone: boolean) => void
  /** Moves the column by one position. */
  onMove: (by: 1 | -1) => void
  /** Called when another column is dropped here. */
  onDrop: (id: string) => void
}

export const headStyle =
  'sticky top-0 z-10 h-9 truncate border-b border-line bg-surface px-2 text-left text-xs font-medium text-muted first:pl-4'

const dragType = 'application/x-sallyport-column'

/** A press sorts; dragging the head moves the column, and dragging its edge resizes it. */
export function ColumnHead({ id, name, width, sort, onSort, onResize, onMove, onDrop }: ColumnHeadProps) {
  const orders = columnOrders[id]
  const [first, second] = orders ?? []
  const isSorted = sort === first || sort === second
  const Arrow = sort === second ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-label={name}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(dragType, id)}
      onDragOver={(event) => event.dataTransfer.types.includes(dragType) && event.preventDefault()}
      onDrop={(event) => onDrop(event.dataTransfer.getData(dragType))}
      aria-sort={onSort && orders ? (isSorted ? (sort === first ? 'descending' : 'ascending') : 'none') : undefined}
      className={classNames(headStyle, columnLayout[id]?.numeric && numericStyle)}
    >
      {onSort && first && second ? (
        <button
          type="button"
          onClick={() => onSort(sort === first ? second : first)}
          className="-mx-1 inline-flex items-center gap-1 rounded px-1 py-1 font-medium hover:text-fg"
        >
          {name}
          {isSorted && <Arrow aria-hidden="true" className="size-3.5" />}
        </button>
      ) : (
        name
      )}
      <ResizeHandle name={name} width={width} onResize={onResize} onMove={onMove} />
    </th>
  )
}

type ResizeHandleProps = Pick<ColumnHeadProps, 'name' | 'width' | 'onResize' | 'onMove'>

const keyStep = 16

/** The edge of a column. Dragging and arrow keys resize the column; with Shift, the arrow keys move it. */
function ResizeHandle({ name, width, onResize, onMove }: ResizeHandleProps) {
  const grabbed = useRef<{ x: number; width: number } | null>(null)

  function onKeyDown(event: KeyboardEvent) {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : undefined
    if (!by) return
    event.preventDefault()
    if (event.shiftKey) onMove(by)
    else onResize(width + by * keyStep, true)
  }
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    grabbed.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? width }
  }

  const draggedWidth = ({ clientX }: PointerEvent) =>
    grabbed.current ? grabbed.current.width + clientX - grabbed.current.x : width

  return (
    <input
      type="range"
      aria-label={`Width of ${name}`}
      aria-valuetext={`${width} pixels`}
      aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
      title="Drag or use the arrow keys to resize; with Shift they move the column"
      min={narrowest}
      max={widest}
      value={width}
      onChange={(event) => onResize(event.target.valueAsNumber, true)}
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onKeyDown={onKeyDown}
      // The native slider would set the width by the position within the handle.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => grabbed.current && onResize(draggedWidth(event), false)}
      onPointerUp={(event) => {
        if (grabbed.current) onResize(draggedWidth(event), true)
        grabbed.current = null
      }}
      className="absolute inset-y-1 right-1.5 m-0 w-1.5 cursor-col-resize touch-none appearance-none rounded-sm border-r border-line bg-transparent hover:border-accent focus-visible:bg-accent [&::-moz-range-thumb]:invisible [&::-webkit-slider-thumb]:invisible"
    />
  )
}
