import { useMutation } from '@tanstack/react-query'
import { useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type UIEventHandler, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { textScale } from '#web/lib/browser/font-scale.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { ColumnHead, headStyle } from './column-head.tsx'
import { columnLayout, columns, features } from './log-columns.tsx'
import { LogRow } from './log-row.tsx'
import {
  columnsText,
  moveColumn,
  orderedColumns,
  placeColumn,
  resizeColumn,
  type TableSettings,
  visibility,
} from './table-settings.ts'
import type { LogOrder } from '#web/lib/log-filters/log-search.ts'
import { downloadMutation } from '../details/download-log.ts'
import { useRowKeys } from './use-row-keys.ts'

type LogTableProps = {
  rows: RequestLogSummary[]
  /** Row count of the whole filtered history, for assistive technology. */
  total: number
  firstIndex: number
  settings: TableSettings
  onSettings: (settings: TableSettings) => void
  sort: LogOrder
  onSort: ((sort: LogOrder) => void) | undefined
  onOpen: (log: RequestLogSummary) => void
  /** The log whose details are shown. */
  openId?: string | undefined
  onScroll?: UIEventHandler<HTMLDivElement>
  isStale?: boolean
}

/** px in the usual font. */
const actionsWidth = 76

/** Minimum width of the `rest` column, px in the usual font. */
const restWidth = 176

/** Rows of one page or of the live tail; only visible rows are rendered. */
export function LogTable(props: LogTableProps) {
  const { rows, total, firstIndex, onSettings, sort, onSort, onOpen, openId, onScroll, isStale = false } = props
  const [scale] = useState(textScale)
  const [dragged, setDragged] = useState<TableSettings | null>(null)
  const settings = dragged ?? props.settings
  const { mutate: download } = useMutation(downloadMutation)
  const scroller = useRef<HTMLDivElement>(null)
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: (log) => log.id,
    state: { columnVisibility: visibility(settings), columnOrder: orderedColumns(settings) },
  })
  const model = table.getRowModel().rows
  const rowHeight = (settings.density === 'dense' ? 28 : 36) * scale
  const virtualizer = useVirtualizer({
    count: model.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: 40,
  })
  const { active, setActive, onKeyDown } = useRowKeys(model.length, virtualizer, (index) => {
    const log = rows[index]
    if (log) onOpen(log)
  })
  const openIndex = rows.findIndex(({ id }) => id === openId)
  const isOpenListed = openIndex >= 0
  const showOpen = useEffectEvent(() => {
    setActive(openIndex)
    virtualizer.scrollToIndex(openIndex)
  })
  // Only once per log, because the live tail keeps adding rows above it.
  useEffect(() => {
    if (isOpenListed) showOpen()
  }, [isOpenListed, openId])
  const shownColumns = columnsText(settings) ?? ''
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  const heads = table.getHeaderGroups()[0]?.headers ?? []
  const isRest = (id: string) => settings.widths[id] === undefined && columnLayout[id]?.width === 'rest'
  const widthOf = (id: string) =>
    settings.widths[id] ?? Math.round((Number(columnLayout[id]?.width) || restWidth) * scale)
  const width = heads.reduce((sum, { column }) => sum + widthOf(column.id), actionsWidth * scale)
  const hasRest = heads.some(({ column }) => isRest(column.id))
  const isActiveDrawn = items.some((item) => item.index === active)

  return (
    <div
      ref={scroller}
      onScroll={onScroll}
      className="max-h-[max(24rem,calc(100dvh-11rem))] overflow-auto"
      style={{ overflowAnchor: 'none' }}
    >
      <table
        role="grid"
        aria-label="Request history"
        aria-rowcount={total + 1}
        aria-busy={isStale}
        // Keeps the table focusable while the active row is not rendered.
        tabIndex={isActiveDrawn ? -1 : 0}
        onKeyDown={onKeyDown}
        className={classNames('w-full table-fixed border-separate border-spacing-0', isStale && 'opacity-60')}
        style={{ minWidth: width }}
      >
        <colgroup>
          {heads.map(({ column }) => (
            <col key={column.id} style={isRest(column.id) ? undefined : { width: widthOf(column.id) }} />
          ))}
          <col style={hasRest ? { width: actionsWidth * scale } : undefined} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {heads.map((header) => (
              <ColumnHead
                key={header.id}
                id={header.column.id}
                name={String(header.column.columnDef.header)}
                width={widthOf(header.column.id)}
                sort={sort}
                onSort={onSort}
                onResize={(next, isDone) => {
                  const resized = resizeColumn(settings, header.column.id, next)
                  setDragged(isDone ? null : resized)
                  if (isDone) onSettings(resized)
                }}
                onMove={(by) => onSettings(moveColumn(settings, header.column.id, by))}
                onDrop={(id) => onSettings(placeColumn(settings, id, header.column.id))}
              />
            ))}
            <th scope="col" className={headStyle}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden="true" style={{ height: before }} />}
          {items.map(({ index }) => {
            const row = model[index]
            return (
              row && (
                <LogRow
                  key={row.id}
                  row={row}
                  index={index}
                  position={firstIndex + index}
                  height={rowHeight}
                  isActive={index === active}
                  isOpen={row.id === openId}
                  columns={shownColumns}
                  onOpen={onOpen}
                  onActivate={setActive}
                  onDownload={download}
                />
              )
            )
          })}
          {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}
