import { FlexRender, type Row } from '@tanstack/react-table'
import { Download, Eye } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { columnLayout, type features, numericStyle } from './log-columns.tsx'

type LogRowProps = {
  row: Row<typeof features, RequestLogSummary>
  index: number
  /** Zero-based index in the whole filtered history. */
  position: number
  height: number
  isActive: boolean
  /** Whether its details are shown. */
  isOpen: boolean
  /** Not read: it only makes the memoized row render again when it changes. */
  columns: string
  onOpen: (log: RequestLogSummary) => void
  onActivate: (index: number) => void
  onDownload: (id: string) => void
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { row, index, position, height, isActive, isOpen, onOpen, onActivate, onDownload } = props
  const log = row.original
  const tabIndex = isActive ? 0 : -1
  return (
    <tr
      data-index={index}
      data-log={log.id}
      aria-current={isOpen || undefined}
      aria-rowindex={position + 2}
      tabIndex={tabIndex}
      onFocus={() => onActivate(index)}
      onClick={() => onOpen(log)}
      className="group cursor-pointer hover:bg-bg aria-current:bg-subtle focus-visible:-outline-offset-2"
      style={{ height }}
    >
      {row.getVisibleCells().map((cell) => {
        const layout = columnLayout[cell.column.id]
        return (
          <td
            key={cell.id}
            dir="ltr"
            translate={layout?.mono ? 'no' : undefined}
            className={classNames(
              'truncate border-b border-line px-2 tabular-nums first:pl-4',
              layout?.numeric && numericStyle,
              (layout?.mono || layout?.numeric) && 'font-mono text-xs',
              layout?.small && 'text-xs text-muted group-aria-current:text-fg',
              cell.column.id === 'method' && 'font-semibold',
            )}
            title={
              layout?.width === 'rest' || layout?.mono || cell.column.id === 'tags'
                ? String(cell.getValue() ?? '')
                : undefined
            }
          >
            <FlexRender cell={cell} />
          </td>
        )
      })}
      <td className="border-b border-line pr-3 pl-1 text-right whitespace-nowrap">
        <RowButton label={`View details of request ${position + 1}`} tabIndex={tabIndex} onClick={() => onOpen(log)}>
          <Eye />
        </RowButton>
        <RowButton
          label={`Download as JSON: request ${position + 1}`}
          tabIndex={tabIndex}
          onClick={() => onDownload(log.id)}
        >
          <Download />
        </RowButton>
      </td>
    </tr>
  )
})

type RowButtonProps = { label: string; tabIndex: number; onClick: () => void; children: ReactNode }

/** Small enough for a dense row; the row itself is a larger click target. */
const RowButton = ({ label, tabIndex, onClick, children }: RowButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    tabIndex={tabIndex}
    onClick={(event) => {
      event.stopPropagation()
      onClick()
    }}
    className="inline-grid size-6.5 place-items-center rounded-control text-muted transition-colors hover:bg-subtle hover:text-fg [&_svg]:size-4"
  >
    {children}
  </button>
)
