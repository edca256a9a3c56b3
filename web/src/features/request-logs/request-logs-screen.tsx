import { useQuery } from '@tanstack/react-query'
import { ListFilter, Radio } from 'lucide-react'
import { useState } from 'react'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { AutoRefresh } from '#web/ui/auto-refresh.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IgnoredNotice, MissingViewNotice } from '#web/ui/link-notices.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ViewsMenu } from '#web/ui/views-menu.tsx'
import { ActiveFilters } from '#web/lib/log-filters/active-filters.tsx'
import { CompleteBadge } from './list/complete-badge.tsx'
import { HistogramCard } from './facets/histogram-card.tsx'
import { ExportMenu } from './filters/export-menu.tsx'
import { FirstFilters } from '#web/lib/log-filters/first-filters.tsx'
import { invalidFilters, rejectedFilters } from '#web/lib/log-filters/filter-errors.ts'
import { LiveTailCard } from './tail/live-tail-card.tsx'
import { useLiveTail } from './tail/use-live-tail.ts'
import { LogHistory } from './list/log-history.tsx'
import { moreFilterNames } from '#web/lib/log-filters/log-params.ts'
import { changeSearch, type LogSearch, readLogSearch, viewSearch } from '#web/lib/log-filters/log-search.ts'
import { MoreFilters } from '#web/lib/log-filters/more-filters.tsx'
import { useValuesPanel, ValuesLayout } from '#web/lib/log-filters/values/values-layout.tsx'
import { ValuesPanel } from '#web/lib/log-filters/values/values-panel.tsx'
import { neighboursOf, useNeighbours } from './details/neighbours.ts'
import { WithDetails } from './details/with-details.tsx'
import { logsPageQuery, tailUrl } from './request-logs-queries.ts'
import { areKnownColumns, columnsText, type TableSettings, useTableSettings } from './list/table-settings.ts'
import { TableMenu } from './list/table-menu.tsx'

type RequestLogsScreenProps = {
  search: LogSearch
  /**
   * Writes the state of the screen to the URL. `update` gets the state of the URL, which is newer than the drawn one
   * after two changes in a row; `replace` adds no history entry.
   */
  onSearch: (update: (latest: LogSearch) => LogSearch, options?: { replace: boolean }) => void
}

export function RequestLogsScreen({ search, onSearch }: RequestLogsScreenProps) {
  const [isMoreOpen, setMoreOpen] = useState(false)
  const [settings, storeSettings] = useTableSettings(search.columns)
  const panel = useValuesPanel('logs')
  const isLive = search.live === true
  const hasUnknownColumns = search.columns !== undefined && !areKnownColumns(search.columns)
  const invalid = invalidFilters(search)
  const isValid = Object.keys(invalid).length === 0
  const query = useQuery({ ...logsPageQuery(search), enabled: !isLive && isValid })
  const tail = useLiveTail(isLive && isValid ? tailUrl(search) : undefined)
  const pageNeighbours = useNeighbours(search, isLive ? undefined : query.data)
  const tailNeighbours = neighboursOf(search.log, { page: search.page ?? 1, rows: tail.rows })
  const errors = { ...rejectedFilters(query.error), ...invalid }
  const hasHiddenError = moreFilterNames.some((name) => errors[name])
  const change = (next: Partial<LogSearch>) =>
    onSearch((latest) => changeSearch(latest, { columns: columnsText(settings), ...next }), {
      replace: 'search' in next || 'log' in next,
    })
  function changeSettings(next: TableSettings) {
    storeSettings(next)
    onSearch((latest) => changeSearch(latest, { columns: columnsText(next) }), { replace: true })
  }

  return (
    <>
      <PageHeader
        title="Request Logs"
        description="Every request that went through the proxy."
        badge={<CompleteBadge until={query.data?.completeUntil} />}
        action={
          <div className="flex gap-2">
            <Button
              aria-pressed={isLive}
              variant={isLive ? 'primary' : 'secondary'}
              onClick={() => change({ live: !isLive })}
            >
              <Radio />
              Live tail
            </Button>
            <ExportMenu search={search} />
          </div>
        }
      />
      <IgnoredNotice
        names={hasUnknownColumns ? ['columns', ...(search.ignored ?? [])] : search.ignored}
        onDismiss={() => change({})}
      />
      <MissingViewNotice id={search.view} onDismiss={() => change({})} />
      <div className="flex flex-col gap-3">
        <FirstFilters
          search={search}
          onChange={change}
          isMoreOpen={isMoreOpen || hasHiddenError}
          onMoreOpenChange={setMoreOpen}
          areValuesOpen={panel.isOpen}
          onValuesOpenChange={panel.setOpen}
        />
        {errors.search && <p className="text-xs text-danger">{errors.search}</p>}
        {(isMoreOpen || hasHiddenError) && <MoreFilters search={search} errors={errors} onChange={change} />}
        <ActiveFilters search={search} onChange={change} />
      </div>
      {!isLive && isValid && <HistogramCard search={search} onChange={change} />}
      <WithDetails
        openId={search.log}
        rows={isLive ? tail.rows : query.data?.rows}
        neighbours={isLive ? tailNeighbours : pageNeighbours}
        onChange={change}
      >
        <ValuesLayout
          panel={panel}
          values={<ValuesPanel search={search} onChange={change} />}
          isShared={search.log !== undefined}
        >
          {!isValid && (isLive || !query.data) ? (
            <Card title="Request History">
              <EmptyState icon={ListFilter} title="These filters can’t be used">
                Correct the marked filters to see the requests.
              </EmptyState>
            </Card>
          ) : isLive ? (
            <LiveTailCard
              tail={tail}
              settings={settings}
              onSettings={changeSettings}
              onOpen={(log) => change({ log: log.id })}
              openId={search.log}
            />
          ) : (
            <LogHistory
              query={query}
              search={search}
              settings={settings}
              onSettings={changeSettings}
              onChange={change}
              onOpen={(log) => change({ log: log.id })}
              tools={
                <>
                  <AutoRefresh screen="logs" keys={[requestLogsPath]} />
                  <ViewsMenu
                    screen="request-logs"
                    search={viewSearch(search)}
                    onOpenView={(kept) => onSearch(() => readLogSearch(kept))}
                  />
                  <TableMenu settings={settings} onChange={changeSettings} />
                </>
              }
            />
          )}
        </ValuesLayout>
      </WithDetails>
    </>
  )
}
