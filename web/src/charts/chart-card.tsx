import { ChartNoAxesCombined, Table2 } from 'lucide-react'
import { type ReactNode, useDeferredValue, useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'

type ChartCardProps = {
  title: string
  description?: string
  className?: string
  /** Controls of its own, above chart and table. */
  tools?: ReactNode
  /** The same numbers for keyboard and screen reader. */
  table: DataTableProps
  /** Why there is nothing to draw; `undefined` when there is something. */
  empty?: string | undefined
  children: ReactNode
}

/** A chart with the table behind it, one button apart. */
export function ChartCard({ title, description, className, tools, table, empty, children }: ChartCardProps) {
  const [isTable, setIsTable] = useState(false)
  // After the chart: hundreds of rows that are only read out take longer to lay out than it does.
  const hasPlainTable = useDeferredValue(true, false)
  const id = useId()
  return (
    <Card
      title={title}
      {...(description && { description })}
      {...(className && { className })}
      action={
        empty === undefined && (
          <Button
            variant="ghost"
            size="icon"
            aria-pressed={isTable}
            aria-controls={id}
            aria-label={`${title} as a table`}
            title={isTable ? 'Show the chart' : 'Show the numbers as a table'}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? <ChartNoAxesCombined /> : <Table2 />}
          </Button>
        )
      }
    >
      <div id={id} className="p-4">
        {empty === undefined && tools && <div className="mb-4">{tools}</div>}
        {empty !== undefined ? (
          <p className="grid min-h-40 place-items-center text-center text-balance text-muted">{empty}</p>
        ) : isTable ? (
          <DataTable {...table} />
        ) : (
          <>
            <div aria-hidden="true">{children}</div>
            <div className="sr-only [content-visibility:auto]">{hasPlainTable && <DataTable {...table} isPlain />}</div>
          </>
        )}
      </div>
    </Card>
  )
}
