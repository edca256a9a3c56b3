import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

export type DataTableProps = {
  caption: string
  /** The first column is the row header; the others hold numbers. */
  heads: readonly string[]
  rows: readonly DataRow[]
}

export type DataRow = {
  key: string
  cells: readonly ReactNode[]
  onOpen?: (() => void) | undefined
}

/** Many columns have to fit on a page. */
const paper = 'print:min-w-0 print:px-0.5 print:text-[6pt] print:whitespace-normal'

/** `isPlain`: for screen readers only, so nothing in it is focusable. */
export const DataTable = ({ caption, heads, rows, isPlain = false }: DataTableProps & { isPlain?: boolean }) => (
  <section
    tabIndex={isPlain ? undefined : 0}
    aria-label={caption}
    className={isPlain ? undefined : 'max-h-80 overflow-auto'}
  >
    <table className="w-full border-separate border-spacing-0">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th
              // Two tokens may have one name.
              key={`${index} ${head}`}
              scope="col"
              className={classNames(
                'sticky top-0 h-8 border-b border-line bg-surface px-2 text-xs font-medium whitespace-nowrap text-muted',
                paper,
                index === 0 ? 'left-0 z-10 text-left' : 'text-right',
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, onOpen }) => (
          <tr key={key}>
            {cells.map((cell, index) =>
              index === 0 ? (
                <th
                  key={`${index} ${heads[index]}`}
                  scope="row"
                  className={classNames(
                    'sticky left-0 h-8 min-w-32 border-b border-line bg-surface px-2 text-left font-normal wrap-anywhere md:min-w-48',
                    paper,
                  )}
                >
                  {onOpen && !isPlain ? (
                    <button type="button" onClick={onOpen} className="text-left text-accent hover:underline">
                      {cell}
                    </button>
                  ) : (
                    cell
                  )}
                </th>
              ) : (
                <td
                  key={`${index} ${heads[index]}`}
                  className={classNames(
                    'h-8 border-b border-line px-2 text-right font-mono text-xs whitespace-nowrap tabular-nums',
                    paper,
                  )}
                >
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
