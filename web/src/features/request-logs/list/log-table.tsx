import { useMutation } from '@tanstack/react-query'
import { useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type UIEventHandler, useEffect, useRef } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { columnLayout, columns, features } from './log-columns.tsx'
import { LogRow } from './log-row.tsx'
import type { TableSettings } from './table-settings.ts'
import { downloadMutation } from '../details/download-log.ts'
import { useRowKeys } from './use-row-keys.ts'

type LogTableProps = {
  rows: RequestLogSummary[]
  /** Row count of the whole filtered history, for assistive technology. */
  total: number
  firstIndex: number
  settings: TableSettings
  sort: 'newest' | 'oldest'
  onSort: ((sort: 'newest' | 'oldest') => void) | undefined
  onOpen: (log: RequestLogSummary) => void
  /** The log whose details are shown. */
  openId?: string | undefined
  onScroll?: UIEventHandler<HTMLDivElement>
  isStale?: boolean
}

const actionsWidth = 76

/** Rows of one page or of the live tail; only visible rows are rendered. */
export function LogTable(props: LogTableProps) {
  const { rows, total, firstIndex, settings, sort, onSort, onOpen, openId, onScroll, isStale = false } = props
  const { mutate: download } = useMutation(downloadMutation)
  const scroller = useRef<HTMLDivElement>(null)
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: (log) => log.id,
    state: { columnVisibility: settings.columns },
  })
  const model = table.getRowModel().rows
  const rowHeight = settings.density === 'dense' ? 28 : 36
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
  useEffect(() => {
    if (openIndex < 0) return
    setActive(openIndex)
    virtualizer.scrollToIndex(openIndex)
  }, [openIndex, setActive, virtualizer])
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  const heads = table.getHeaderGroups()[0]?.headers ?? []
  const width = heads.reduce((sum, { column }) => sum + fixedWidth(column.id), actionsWidth)
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
            <col key={column.id} style={columnStyle(column.id)} />
          ))}
          <col style={{ width: actionsWidth }} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {heads.map((header) => {
              const isSorted = header.column.id === 'time' && onSort
              const Arrow = sort === 'newest' ? ArrowDown : ArrowUp
              return (
                <th
                  key={header.id}
                  scope="col"
                  aria-sort={isSorted ? (sort === 'newest' ? 'descending' : 'ascending') : undefined}
                  className={classNames(headStyle, columnLayout[header.column.id]?.numeric && 'text-right')}
                >
                  {isSorted ? (
                    <button
                      type="button"
                      onClick={() => onSort(sort === 'newest' ? 'oldest' : 'newest')}
                      className="-mx-1 inline-flex items-center gap-1 rounded px-1 py-1 font-medium hover:text-fg"
                    >
                      <table.FlexRender header={header} />
                      <Arrow aria-hidden="true" className="size-3.5" />
                    </button>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </th>
              )
            })}
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
                  visibility={settings.columns}
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

const headStyle =
  'sticky top-0 z-10 h-9 truncate border-b border-line bg-surface px-2 text-left text-xs font-medium text-muted first:pl-4'

const fixedWidth = (id: string) => {
  const width = columnLayout[id]?.width
  return typeof width === 'number' ? width : 200
}

const columnStyle = (id: string) => (columnLayout[id]?.width === 'rest' ? undefined : { width: fixedWidth(id) })
