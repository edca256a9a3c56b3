import { useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { IgnoredNotice } from '#web/ui/ignored-notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ActiveFilters } from '#web/lib/log-filters/active-filters.tsx'
import { CompleteBadge } from './list/complete-badge.tsx'
import { ExportMenu } from './filters/export-menu.tsx'
import { LiveTail } from './tail/live-tail.tsx'
import { LogFilters } from './filters/log-filters.tsx'
import { LogHistory } from './list/log-history.tsx'
import { changeSearch, type LogSearch } from '#web/lib/log-filters/log-search.ts'
import { MoreFilters } from '#web/lib/log-filters/more-filters.tsx'
import { RequestDetailsDialog } from './details/request-details-dialog.tsx'
import { logsPageQuery, tailUrl } from './request-logs-queries.ts'
import { useTableSettings } from './list/table-settings.ts'
import { TableMenu } from './list/table-menu.tsx'
import { ViewsMenu } from './filters/views-menu.tsx'

type RequestLogsScreenProps = {
  search: LogSearch
  /** Writes the state of the screen to the URL; `replace` adds no history entry. */
  onSearch: (search: LogSearch, options?: { replace: boolean }) => void
}

export function RequestLogsScreen({ search, onSearch }: RequestLogsScreenProps) {
  const [isMoreOpen, setMoreOpen] = useState(false)
  const [settings, setSettings] = useTableSettings()
  const isLive = search.live === true
  const query = useQuery({ ...logsPageQuery(search), enabled: !isLive })
  const change = (next: Partial<LogSearch>) =>
    onSearch(changeSearch(search, next), { replace: 'search' in next || ('log' in next && next.log === undefined) })
  // A closing dialog still shows its log.
  const [shown, setShown] = useState(search.log)
  if (search.log && search.log !== shown) setShown(search.log)

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
      <IgnoredNotice names={search.ignored} onDismiss={() => change({})} />
      <div className="flex flex-col gap-3">
        <LogFilters search={search} onChange={change} isMoreOpen={isMoreOpen} onMoreOpenChange={setMoreOpen} />
        {isMoreOpen && <MoreFilters search={search} onChange={change} />}
        <ActiveFilters search={search} onChange={change} />
      </div>
      {isLive ? (
        <LiveTail
          key={tailUrl(search)}
          url={tailUrl(search)}
          settings={settings}
          onOpen={(log) => change({ log: log.id })}
        />
      ) : (
        <LogHistory
          query={query}
          search={search}
          settings={settings}
          onChange={change}
          onOpen={(log) => change({ log: log.id })}
          tools={
            <>
              <ViewsMenu search={search} onOpenView={onSearch} />
              <TableMenu settings={settings} onChange={setSettings} />
            </>
          }
        />
      )}
      {shown && (
        <RequestDetailsDialog
          id={shown}
          summary={query.data?.rows.find((log) => log.id === shown)}
          open={search.log !== undefined}
          onClose={() => change({ log: undefined })}
        />
      )}
    </>
  )
}
