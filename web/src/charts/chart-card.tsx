import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Bell, ChartNoAxesCombined, Download, Table2 } from 'lucide-react'
import { type ReactNode, useDeferredValue, useId } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { chartTables } from '#web/lib/search-params.ts'
import type { ChartRow } from './chart-csv.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'

type ChartCardProps = {
  title: string
  description?: string | undefined
  className?: string | undefined
  /** Controls above the chart or table. */
  tools?: ReactNode
  /** The same numbers for keyboard and screen reader users; the caption defaults to the title. */
  table: Omit<DataTableProps, 'caption' | 'rows'> & { caption?: string; rows: readonly ChartRow[] }
  /** Draft of a new alert about the charted numbers. */
  alertDraft?: object | undefined
  /** Text shown instead of the chart when there is no data. */
  empty: string | undefined
  /** Whether the chart itself works with keyboard and screen reader. */
  isOperable?: boolean
  children: ReactNode
}

const tablesIn = (search: { tables?: unknown }) => chartTables.safeParse(search.tables).data ?? []

/** Whether the address says that a chart is shown as a table, and a function that changes this. */
function useTableSwitch(title: string): [boolean, () => void] {
  const isTable = useSearch({ strict: false, select: (search) => tablesIn(search).includes(title) })
  const navigate = useNavigate()
  const change = (search: object) => {
    const others = tablesIn(search).filter((other) => other !== title)
    const tables = isTable ? others : [...others, title]
    return { ...search, tables: tables.length === 0 ? undefined : tables }
  }
  return [isTable, () => void navigate({ to: '.', search: change, resetScroll: false })]
}

/** A chart and a table of the same numbers; one button switches between them, another saves the numbers. */
export function ChartCard(props: ChartCardProps) {
  const { title, description, className, tools, table, alertDraft, empty, isOperable, children } = props
  const [isTable, switchTable] = useTableSwitch(title)
  // Rendered after the chart, because laying out hundreds of screen-reader rows is slower than the chart.
  const hasPlainTable = useDeferredValue(true, false)
  const id = useId()
  const captioned = { caption: title, ...table }
  const save = useMutation({
    mutationFn: async () => {
      const { chartCsv } = await import('./chart-csv.ts')
      saveFile(`${title}.csv`, 'text/csv', chartCsv(table))
    },
    meta: { failure: 'Export failed' },
  })
  return (
    <Card
      title={title}
      description={description}
      className={className}
      action={
        empty === undefined && (
          <div className="flex">
            <IconButton
              label={`Export ${title}`}
              icon={<Download />}
              title="Export the numbers as CSV"
              onClick={() => save.mutate()}
            />
            {alertDraft !== undefined && (
              <IconButton
                label={`Alert on ${title}`}
                icon={
                  <Link to="/alerts" search={{ draft: alertDraft }}>
                    <Bell />
                  </Link>
                }
                title="Alert when …"
                asChild
              />
            )}
            <IconButton
              label={`${title} as a table`}
              icon={isTable ? <ChartNoAxesCombined /> : <Table2 />}
              aria-pressed={isTable}
              aria-controls={id}
              title={isTable ? 'Show the chart' : 'Show the numbers as a table'}
              onClick={switchTable}
            />
          </div>
        )
      }
    >
      <div id={id} className="p-4">
        {empty === undefined && tools && <div className="mb-4">{tools}</div>}
        {empty !== undefined ? (
          <p className="grid min-h-40 place-items-center text-center text-balance text-muted">{empty}</p>
        ) : isTable ? (
          <DataTable {...captioned} />
        ) : (
          <>
            <div aria-hidden={!isOperable}>{children}</div>
            <div className="sr-only [content-visibility:auto]">
              {hasPlainTable && <DataTable {...captioned} isPlain />}
            </div>
          </>
        )}
      </div>
    </Card>
  )
}
