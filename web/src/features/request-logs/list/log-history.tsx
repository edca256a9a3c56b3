import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { RotateCw, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { refreshShown } from '#web/lib/refresh.ts'
import { formatCount, formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { useWideScreen } from '#web/lib/browser/media-query.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LogCards } from './log-cards.tsx'
import { isFiltered } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { LogTable } from './log-table.tsx'
import { Pagination } from './pagination.tsx'
import { type LogPage, pageSize } from '../request-logs-queries.ts'
import type { TableSettings } from './table-settings.ts'

type LogHistoryProps = {
  query: UseQueryResult<LogPage>
  search: LogSearch
  settings: TableSettings
  onSettings: (settings: TableSettings) => void
  tools: ReactNode
  onChange: (change: Partial<LogSearch>) => void
  onOpen: (log: RequestLogSummary) => void
}

export function LogHistory(props: LogHistoryProps) {
  const { query, search, settings, onSettings, tools, onChange, onOpen } = props
  const client = useQueryClient()
  const isWide = useWideScreen()
  const { data, isFetching, isPlaceholderData } = query
  return (
    <Card
      title="Request History"
      description={
        <output>
          {data
            ? `${formatCount(data.requests)}${data.isAtLeast ? '+' : ''} requests found`
            : !query.isError && 'Counting…'}
        </output>
      }
      action={
        <div className="flex items-center">
          <IconButton
            label="Refresh"
            icon={<RotateCw className={classNames(isFetching && 'animate-spin')} />}
            unavailable={isFetching}
            onClick={() => void refreshShown(client, [requestLogsPath])}
          />
          {tools}
        </div>
      }
    >
      <QueryView query={query} skeleton={<Rows />} errorTitle="The request logs could not be loaded">
        {({ rows, total, isCut, page, ...notes }) => (
          <>
            <ListNotes {...notes} cutAfter={isCut ? total : null} />
            {rows.length === 0 ? (
              <EmptyState icon={ScrollText} title="No Request Logs">
                {isFiltered(search)
                  ? 'No requests match your current filters'
                  : 'Start using the proxy to see request logs here'}
              </EmptyState>
            ) : (
              <>
                {isWide ? (
                  <LogTable
                    rows={rows}
                    total={total}
                    firstIndex={(page - 1) * pageSize}
                    settings={settings}
                    onSettings={onSettings}
                    sort={search.sort ?? 'newest'}
                    onSort={(sort) => onChange({ sort })}
                    onOpen={onOpen}
                    openId={search.log}
                    isStale={isPlaceholderData}
                  />
                ) : (
                  <LogCards rows={rows} onOpen={onOpen} />
                )}
                <Pagination page={page} total={total} isAtLeast={isCut} onPage={(next) => onChange({ page: next })} />
              </>
            )}
          </>
        )}
      </QueryView>
    </Card>
  )
}

type ListNotesProps = Pick<LogPage, 'searchedFrom' | 'keptFrom'> & { cutAfter: number | null }

/** Says what the list leaves out. */
function ListNotes({ searchedFrom, keptFrom, cutAfter }: ListNotesProps) {
  const zone = useTimeZone()
  if (!searchedFrom && !keptFrom && cutAfter === null) return null
  return (
    <output className="block border-b border-line px-4 py-2 text-xs text-muted">
      {searchedFrom && (
        <p>
          Searched parts of words back to {formatTime('minute', searchedFrom, zone)}, and whole words before that. A
          later range or a whole word finds the rest.
        </p>
      )}
      {keptFrom && <p>Requests before {formatTime('minute', keptFrom, zone)} are not kept any more.</p>}
      {cutAfter !== null && (
        <p>Only the first {formatCount(cutAfter)} requests of this order are listed. More filters bring up the rest.</p>
      )}
    </output>
  )
}

const Rows = () => (
  <div>
    <div className="h-9 border-b border-line" />
    {Array.from({ length: pageSize }, (_, row) => (
      <div key={row} className="flex h-18 items-center gap-4 border-b border-line px-4 md:h-9">
        <Skeleton className="h-4.5 w-12" />
        <Skeleton className="h-3.5 w-56 max-w-[40%]" />
        <Skeleton className="ml-auto h-3.5 w-40 max-w-[30%]" />
      </div>
    ))}
  </div>
)
