import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ErrorGroup, ErrorGroups } from '#schemas/analytics-errors.ts'
import { Sparkline } from '#web/charts/sparkline.tsx'
import { formatCount, formatCounted, formatPercent } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { mergeFilters } from '../use-open-logs.ts'
import { errorSearch } from './error-search.ts'
import { errorGroupsQuery } from '../analytics-queries.ts'

/** Errors by code and message. Source: product.md 11.11. */
export const ErrorsCard = ({ filters }: { filters: LogSearch }) => (
  <Card title="Errors" description="By code and message; what differs between messages is <…>">
    <QueryView
      query={useQuery(errorGroupsQuery(filters))}
      skeleton={<Skeleton className="h-40" />}
      errorTitle="The errors could not be loaded"
    >
      {(data) => (
        <>
          {data.groups.length > 0 && <ErrorTable data={data} filters={filters} />}
          {data.groups.length === 0 && data.isComplete && (
            <p className="grid min-h-40 place-items-center text-center text-muted">No errors in this range.</p>
          )}
          {!data.isComplete && (
            <p className="px-4 py-2 text-xs text-muted">
              There are too many different messages to count them all. A shorter range or a filter counts the rest.
            </p>
          )}
          {data.from <= data.availableFrom && (
            <p className="px-4 py-2 text-xs text-muted">
              Errors before <DateTime value={data.availableFrom} precision="minute" /> are not kept any more.
            </p>
          )}
        </>
      )}
    </QueryView>
  </Card>
)

type ErrorTableProps = { data: ErrorGroups; filters: LogSearch }

/** Characters shown of a pattern; the whole message is in the tooltip. */
const shownPattern = 160

const shorten = (pattern: string) => (pattern.length > shownPattern ? `${pattern.slice(0, shownPattern)}…` : pattern)

const cell = 'border-b border-line px-3 py-2 align-top'
const numberCell = `${cell} text-right font-mono text-xs tabular-nums`
const wideCell = `${cell} max-md:hidden`

const ErrorTable = ({ data, filters }: ErrorTableProps) => (
  <>
    <div className="max-h-96 overflow-auto">
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">Errors by code and message</caption>
        <thead className="text-left text-xs text-muted">
          <tr>
            <th className={`${cell} font-medium`}>Error</th>
            <th className={`${wideCell} font-medium`}>Over time</th>
            <th className={`${cell} text-right font-medium`}>Errors</th>
            <th className={`${cell} text-right font-medium`}>Share</th>
            <th className={`${wideCell} font-medium`}>First seen</th>
            <th className={`${wideCell} font-medium`}>Last seen</th>
          </tr>
        </thead>
        <tbody>
          {data.groups.map((group) => (
            <ErrorRow
              key={`${group.errorCode} ${group.status} ${group.pattern}`}
              group={group}
              data={data}
              filters={filters}
            />
          ))}
        </tbody>
      </table>
    </div>
    {data.others.groups > 0 && (
      <p className="px-4 py-2 text-xs text-muted">
        Not listed: {formatCounted(data.others.errors, 'error')} of {formatCounted(data.others.groups, 'other kind')}.
      </p>
    )}
  </>
)

function ErrorRow({ group, data, filters }: ErrorTableProps & { group: ErrorGroup }) {
  const { errors, from, to } = data
  const title = group.errorCode ?? (group.status === 0 ? 'No response' : String(group.status))
  return (
    <tr>
      <th scope="row" className={`${cell} min-w-40 text-left font-normal`}>
        <span className="flex flex-wrap items-center gap-2">
          <Link
            to="/request-logs"
            search={mergeFilters(filters, { from, to, ...errorSearch(group, filters) })}
            className="font-mono text-xs break-all text-accent hover:underline"
          >
            {visibleLine(title)}
          </Link>
          {group.errorCode !== null && <span className="text-xs text-muted tabular-nums">{group.status}</span>}
          {group.isNew && <Badge tone="warn">New</Badge>}
        </span>
        <span title={visibleLine(group.example)} className="mt-0.5 block text-muted wrap-anywhere">
          {group.pattern === '' ? 'No message' : visibleLine(shorten(group.pattern))}
        </span>
      </th>
      <td className={wideCell}>
        <Sparkline values={group.series} label={`Up to ${formatCounted(Math.max(...group.series), 'error')} at once`} />
      </td>
      <td className={numberCell}>{formatCount(group.errors)}</td>
      <td className={numberCell}>{formatPercent((group.errors / Math.max(1, errors)) * 100)}</td>
      <td className={`${wideCell} text-xs`}>
        <DateTime value={group.firstSeen} precision="minute" />
      </td>
      <td className={`${wideCell} text-xs`}>
        <DateTime value={group.lastSeen} precision="minute" />
      </td>
    </tr>
  )
}
